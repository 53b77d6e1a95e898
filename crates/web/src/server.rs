//! Accepts connections up to a limit, closes slow ones, and shuts down cleanly.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Request;
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep, timeout};
use tower::ServiceExt;

use crate::state::{App, Options};

/// Limits for clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections at once. Beyond that, idle ones are closed.
    pub connections: usize,
    /// Time for a client to send the head of a request.
    pub head: Duration,
    /// Time for a client to receive the next part of an answer.
    pub write: Duration,
    /// Time to finish open answers when the server stops.
    pub end: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connections: 512, head: seconds(10), write: seconds(20), end: seconds(5) }
    }
}

/// A server that is bound to its address.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    limits: Limits,
}

impl Server {
    /// Binds the address and opens the data folder.
    pub async fn bind(options: Options, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(options.listen).await.map_err(|error| {
            let address = options.listen;
            let message = match error.kind() {
                io::ErrorKind::AddrInUse => format!(
                    "{address} is in use, perhaps by another deminer; choose another port with \
                     --port, or 0 for a free one"
                ),
                _ => format!("cannot listen on {address}: {error}"),
            };
            io::Error::new(error.kind(), message)
        })?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, app: App::open(options)?, limits })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `end`, then finishes open answers and stops runs so that they can
    /// resume.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let router = crate::router(self.app.clone());
        let connections = Connections::default();
        let graceful = GracefulShutdown::new();
        let mut end = std::pin::pin!(end);
        loop {
            let stream = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    // Out of file descriptors, or the client has already disconnected.
                    Err(_) => {
                        sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                },
                () = &mut end => break,
            };
            let _ = stream.set_nodelay(true);
            let Some(slot) = connections.add(self.limits.connections) else {
                tokio::spawn(refuse(stream));
                continue;
            };
            self.serve(stream, slot, router.clone(), &graceful);
        }
        drop(self.listener);
        self.app.jobs().end();
        let (app, most) = (self.app.clone(), self.limits.end);
        let jobs = tokio::task::spawn_blocking(move || app.jobs().wait(most));
        let _ = timeout(most, graceful.shutdown()).await;
        let _ = jobs.await;
    }

    fn serve(&self, stream: TcpStream, slot: Slot, router: Router, graceful: &GracefulShutdown) {
        let connection = Arc::clone(&slot.connection);
        let service = service_fn({
            let connection = Arc::clone(&connection);
            move |request: Request<Incoming>| {
                let (router, busy) = (router.clone(), Busy::begin(&connection));
                async move {
                    let answer = router.oneshot(request.map(Body::new)).await;
                    answer.map(|answer| answer.map(|body| BusyBody { body, _busy: busy }))
                }
            }
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.limits.head).max_headers(64);
        let stream = WriteTimeout { stream, limit: self.limits.write, deadline: None };
        let served = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            tokio::select! {
                _ = served => {}
                () = connection.close.notified() => {}
            }
            drop(slot);
        });
    }
}

/// Answers 503 and closes the connection.
async fn refuse(mut stream: TcpStream) {
    let answer = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\
        Connection: close\r\n\r\n";
    let _ = timeout(Duration::from_secs(1), stream.write_all(answer)).await;
}

/// All connections.
#[derive(Clone, Default)]
struct Connections(Arc<Mutex<OpenConnections>>);

#[derive(Default)]
struct OpenConnections {
    next: u64,
    open: HashMap<u64, Arc<Connection>>,
}

/// One of the allowed connections; dropping it frees the slot.
struct Slot {
    connections: Connections,
    number: u64,
    connection: Arc<Connection>,
}

struct Connection {
    /// Number of requests in progress.
    busy: AtomicUsize,
    /// When the last request ended.
    idle: Mutex<Instant>,
    close: Notify,
}

impl Connections {
    /// Adds a connection. At the limit, the one that has been idle longest is closed; none if
    /// all are busy.
    fn add(&self, most: usize) -> Option<Slot> {
        let mut all = lock(&self.0);
        if all.open.len() >= most {
            let idle = all.open.iter().filter(|(_, one)| one.busy.load(Ordering::Relaxed) == 0);
            let (&number, _) = idle.min_by_key(|(_, one)| *lock(&one.idle))?;
            all.open.remove(&number)?.close.notify_one();
        }
        let number = all.next;
        all.next += 1;
        let idle = Mutex::new(Instant::now());
        let busy = AtomicUsize::new(0);
        let connection = Arc::new(Connection { busy, idle, close: Notify::new() });
        all.open.insert(number, Arc::clone(&connection));
        Some(Slot { connections: self.clone(), number, connection })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.connections.0).open.remove(&self.number);
    }
}

/// Locks a mutex, also after a panic in another thread.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request in progress, until its answer is sent.
struct Busy(Arc<Connection>);

impl Busy {
    fn begin(connection: &Arc<Connection>) -> Self {
        connection.busy.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(connection))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *lock(&self.0.idle) = Instant::now();
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer, which keeps its connection busy.
struct BusyBody {
    body: Body,
    _busy: Busy,
}

impl http_body::Body for BusyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream that fails if the client does not receive data in time.
struct WriteTimeout {
    stream: TcpStream,
    limit: Duration,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    /// The result of a write, or a timeout if it has been pending for too long.
    fn limit_wait<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let limit = self.limit;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(limit)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit_wait(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limit_wait(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.limit_wait(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.limit_wait(shut, context)
    }
}
