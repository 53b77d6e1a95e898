//! Accepts connections up to a limit, closes slow ones, and shuts down cleanly.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Request, Response};
use axum::response::IntoResponse;
use http_body::{Body as _, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep, timeout};
use tower::ServiceExt;

use crate::BODY;
use crate::problem::Problem;
use crate::seats::{self, Place, Seats};
use crate::state::{App, Options};
use crate::work::Client;

/// Limits for clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections at once. Beyond that, idle and slow ones are closed.
    pub connections: usize,
    /// Connections of one client.
    pub connections_per_client: usize,
    /// Requests of one client whose bodies arrive.
    pub bodies_per_client: usize,
    /// Requests with large bodies that arrive, of all clients.
    pub large_bodies: usize,
    /// Streams of events that one client receives.
    pub streams_per_client: usize,
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
        Self {
            connections: 512,
            connections_per_client: 384,
            bodies_per_client: 64,
            large_bodies: 16,
            streams_per_client: 64,
            head: seconds(10),
            write: seconds(20),
            end: seconds(5),
        }
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
        let seats = Seats::new(self.limits);
        let graceful = GracefulShutdown::new();
        let mut end = std::pin::pin!(end);
        loop {
            let (stream, peer) = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    // Out of file descriptors, or the client has already disconnected.
                    Err(_) => {
                        sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                },
                () = &mut end => break,
            };
            let _ = stream.set_nodelay(true);
            let client = Client::at(peer.ip());
            let Some(place) = seats.add(client) else {
                tokio::spawn(refuse(stream));
                continue;
            };
            self.serve(stream, client, place, router.clone(), &graceful);
        }
        drop(self.listener);
        self.app.jobs().end();
        let (app, most) = (self.app.clone(), self.limits.end);
        let jobs = tokio::task::spawn_blocking(move || app.jobs().wait(most));
        let _ = timeout(most, graceful.shutdown()).await;
        let _ = jobs.await;
    }

    fn serve(
        &self,
        stream: TcpStream,
        client: Client,
        place: Place,
        router: Router,
        graceful: &GracefulShutdown,
    ) {
        let service = service_fn({
            let place = place.clone();
            move |request: Request<Incoming>| answer(router.clone(), client, place.clone(), request)
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.limits.head).max_headers(64);
        let stream = WriteTimeout { stream, limit: self.limits.write, deadline: None };
        let served = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            tokio::select! {
                _ = served => {}
                () = place.closed() => {}
            }
        });
    }
}

/// Answers a request, and notes what its connection does meanwhile.
async fn answer(
    router: Router,
    client: Client,
    place: Place,
    request: Request<Incoming>,
) -> Result<Response<PlacedBody>, Infallible> {
    let mut request = request.map(Body::new);
    let size = request.body().size_hint();
    let body = match size.upper() {
        Some(0) => seats::Body::None,
        Some(bytes) if bytes <= BODY as u64 => seats::Body::Small,
        _ => seats::Body::Large,
    };
    let arrival = place.begin(body);
    request.extensions_mut().insert(client);
    request.extensions_mut().insert(arrival);
    let mut answer = router.oneshot(request).await?;
    let kind = answer.headers().get(CONTENT_TYPE);
    let is_stream = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if !place.answer(is_stream) {
        let problem = "you receive too many streams of events already; close some";
        answer = Problem::busy(problem).into_response();
    }
    Ok(answer.map(|body| PlacedBody { body, place }))
}

/// Answers 503 and closes the connection.
async fn refuse(mut stream: TcpStream) {
    let answer = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\
        Connection: close\r\n\r\n";
    let _ = timeout(Duration::from_secs(1), stream.write_all(answer)).await;
}

/// The body of an answer, with the place of its connection.
struct PlacedBody {
    body: Body,
    place: Place,
}

impl Drop for PlacedBody {
    fn drop(&mut self) {
        self.place.end();
    }
}

impl http_body::Body for PlacedBody {
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
