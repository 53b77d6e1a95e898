//! Describes all requests and answers for OpenAPI; the types of the npm package are made of it.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, PathItem, PathsBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{InfoBuilder, OpenApi, Ref, Required, ResponseBuilder};
use utoipa::{OpenApi as _, ToSchema};

use super::*;
use crate::documents::{
    AgentsDocument, AnalysisDocument, DecisionDocument, FormatsDocument, LessonDocument,
    LessonsDocument, NoGuessDocument, ReviewDocument, WalkDocument,
};
use deminer_formats::wire::WirePosition;

/// Everything that is described; what they refer to follows.
#[derive(utoipa::OpenApi)]
#[openapi(components(schemas(
    AgentsRequest,
    AgentsDocument,
    AnalyzeRequest,
    AnalysisDocument,
    ArtifactsRequest,
    ArtifactPaths,
    BoardRequest,
    BoardAnswer,
    DecideRequest,
    DecisionDocument,
    FileRequest,
    ReadAnswer,
    FilmRequest,
    FilmDocument,
    FormatsRequest,
    FormatsDocument,
    GameRequest,
    HintRequest,
    HintDocument,
    LessonRequest,
    LessonDocument,
    LessonsRequest,
    LessonsDocument,
    MeasureRequest,
    MeasureAnswer,
    NoGuessDocument,
    PlayEvent,
    PlayRequest,
    RequestError,
    ReviewRequest,
    ReviewDocument,
    SliceDocument,
    TournamentRequest,
    WalkDocument,
    WalkRequest,
    WirePosition,
    WireRecord,
    WriteRequest,
    Written,
)))]
struct Described;

/// The description: a path for each request with one answer, and all types.
pub fn describe() -> OpenApi {
    let mut api = Described::openapi();
    api.info = InfoBuilder::new()
        .title("deminer")
        .description(Some("Requests of the engine and their answers, by name."))
        .version("1")
        .build();
    api.paths = PathsBuilder::new()
        .path("/agents", operation::<AgentsRequest, AgentsDocument>())
        .path("/analyze", operation::<AnalyzeRequest, AnalysisDocument>())
        .path("/artifacts", operation::<ArtifactsRequest, ArtifactPaths>())
        .path("/board", operation::<BoardRequest, BoardAnswer>())
        .path("/decide", operation::<DecideRequest, DecisionDocument>())
        .path("/film", operation::<FilmRequest, FilmDocument>())
        .path("/formats", operation::<FormatsRequest, FormatsDocument>())
        .path("/hint", operation::<HintRequest, HintDocument>())
        .path("/lesson", operation::<LessonRequest, LessonDocument>())
        .path("/lessons", operation::<LessonsRequest, LessonsDocument>())
        .path("/measure", operation::<MeasureRequest, MeasureAnswer>())
        .path("/read", operation::<FileRequest, ReadAnswer>())
        .path("/review", operation::<ReviewRequest, ReviewDocument>())
        .path("/walk", operation::<WalkRequest, WalkDocument>())
        .path("/write", operation::<WriteRequest, Written>())
        .build();
    api
}

/// A request and its answer.
fn operation<R: Request<Answer = A> + ToSchema, A: ToSchema>() -> PathItem {
    let json = "application/json";
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(R::name()))).build();
    let body = RequestBodyBuilder::new().content(json, body).required(Some(Required::True)).build();
    let answer = ContentBuilder::new().schema(Some(Ref::from_schema_name(A::name()))).build();
    let answer = ResponseBuilder::new().description("the answer").content(json, answer).build();
    let operation = OperationBuilder::new().request_body(Some(body)).response("200", answer);
    PathItem::new(HttpMethod::Post, operation.build())
}
