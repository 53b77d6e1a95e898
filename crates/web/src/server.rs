//! Sockets: so many connections and no more, no patience with slow clients, an end in good order.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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

/// How much clients may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections at once. When there are more, those that ask for nothing have to go.
    pub connections: usize,
    /// Time to send the head of a request.
    pub head: Duration,
    /// Time to take some of an answer.
    pub write: Duration,
    /// Time for answers in the making when the server ends.
    pub end: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connections: 512, head: seconds(10), write: seconds(20), end: seconds(5) }
    }
}

/// A server that has its address.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    limits: Limits,
}

impl Server {
    /// Takes the address and opens the data folder.
    pub async fn bind(options: Options, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(options.listen).await.map_err(|error| {
            let address = options.listen;
            let message = match error.kind() {
                io::ErrorKind::AddrInUse => format!(
                    "{address} is taken, perhaps by another deminer; choose another port with \
                     --port, or 0 for any"
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

    /// Answers until the end comes, lets answers in the making be finished and stops runs where
    /// they can go on.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let router = crate::router(self.app.clone());
        let seats = Seats::default();
        let graceful = GracefulShutdown::new();
        let mut end = std::pin::pin!(end);
        loop {
            let stream = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    // Out of file descriptors, or the client left already.
                    Err(_) => {
                        sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                },
                () = &mut end => break,
            };
            let _ = stream.set_nodelay(true);
            let Some(seat) = seats.take(self.limits.connections) else {
                tokio::spawn(refuse(stream));
                continue;
            };
            self.serve(stream, seat, router.clone(), &graceful);
        }
        drop(self.listener);
        self.app.jobs().end();
        let (app, most) = (self.app.clone(), self.limits.end);
        let jobs = tokio::task::spawn_blocking(move || app.jobs().wait(most));
        let _ = timeout(most, graceful.shutdown()).await;
        let _ = jobs.await;
    }

    fn serve(&self, stream: TcpStream, seat: Seat, router: Router, graceful: &GracefulShutdown) {
        let place = Arc::clone(&seat.place);
        let service = service_fn({
            let place = Arc::clone(&place);
            move |request: Request<Incoming>| {
                let (router, busy) = (router.clone(), Busy::begin(&place));
                async move {
                    let answer = router.oneshot(request.map(Body::new)).await;
                    answer.map(|answer| answer.map(|body| Watched { body, _busy: busy }))
                }
            }
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.limits.head).max_headers(64);
        let stream = Impatient { stream, patience: self.limits.write, deadline: None };
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            tokio::select! {
                _ = connection => {}
                () = place.leave.notified() => {}
            }
            drop(seat);
        });
    }
}

/// Says that there is no room, and hangs up.
async fn refuse(mut stream: TcpStream) {
    let answer = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\
        Connection: close\r\n\r\n";
    let _ = timeout(Duration::from_secs(1), stream.write_all(answer)).await;
}

/// All connections.
#[derive(Clone, Default)]
struct Seats(Arc<Mutex<Taken>>);

#[derive(Default)]
struct Taken {
    next: u64,
    places: HashMap<u64, Arc<Place>>,
}

/// One connection's place; it is given back when dropped.
struct Seat {
    seats: Seats,
    number: u64,
    place: Arc<Place>,
}

struct Place {
    /// Requests that are answered just now.
    busy: AtomicUsize,
    /// Since when none is.
    idle: Mutex<Instant>,
    leave: Notify,
}

impl Seats {
    /// Finds a place. If all are taken, the connection that has been idle longest must go; if
    /// all are busy there is none.
    fn take(&self, most: usize) -> Option<Seat> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.places.len() >= most {
            let idle = |place: &&Arc<Place>| place.busy.load(Ordering::Relaxed) == 0;
            let since =
                |place: &Arc<Place>| *place.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let places = taken.places.iter().filter(|(_, place)| idle(place));
            let (&number, _) = places.min_by_key(|(_, place)| since(place))?;
            let place = taken.places.remove(&number)?;
            place.leave.notify_one();
        }
        let number = taken.next;
        taken.next += 1;
        let idle = Mutex::new(Instant::now());
        let place = Arc::new(Place { busy: AtomicUsize::new(0), idle, leave: Notify::new() });
        taken.places.insert(number, Arc::clone(&place));
        Some(Seat { seats: self.clone(), number, place })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.places.remove(&self.number);
    }
}

/// A request that is answered, until its answer is sent.
struct Busy(Arc<Place>);

impl Busy {
    fn begin(place: &Arc<Place>) -> Self {
        place.busy.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(place))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *self.0.idle.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An answer's body that keeps its connection busy.
struct Watched {
    body: Body,
    _busy: Busy,
}

impl http_body::Body for Watched {
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

/// A stream that gives up on clients who do not take what is sent.
struct Impatient {
    stream: TcpStream,
    patience: Duration,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    /// What a write came to, unless it has been pending for too long.
    fn judge<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(shut, context)
    }
}
