/**
 * Paths of the API on the page's own origin. Every request needs the cookie that the address with the token sets, and
 * must come from the page itself. Replies are JSON unless they say otherwise; errors are `{success: false, error}`.
 */
export const API = {
  /** GET: `ProjectReply`. */
  project: '/api/project',
  /** GET, `?entry=`: `CompositionReply`. */
  composition: '/api/composition',
  /** GET: server-sent events, each the JSON of a `PreviewEvent` in `data`. */
  events: '/api/events',
  /** GET, `?entry=`: `ProblemsReply`. */
  problems: '/api/problems',
  /** POST `CheckBody`: `CheckReply` of the real capture of the staged state, which opens a browser. */
  check: '/api/check',
  /** POST `FindingsBody`: `FindingsReply`, once nothing else is captured; it ends when its client leaves. */
  findings: '/api/findings',
  /** POST `ChangesBody`: `ChangesReply`, in the same way. */
  changes: '/api/changes',
  /** GET: `{files: string[]}`, the files of the project that hold the rows of a batch. */
  batches: '/api/batches',
  /** POST `RowsBody`: `RowsReply`. */
  rows: '/api/rows',
  /** GET: `RenderChoices`. */
  choices: '/api/choices',
  /** POST `RenderBody`: `Job`; GET: `{jobs: Job[]}`, the latest first. */
  jobs: '/api/jobs',
  /** GET: `Job`; DELETE cancels it: `Job`. The file is at `Job.files[].url`, and knows ranges. */
  job: '/api/jobs/:id',
  file: '/api/jobs/:id/files/:index',
  /** POST `FrameBody`: the PNG of a frame as a render captures it. */
  frame: '/api/frame',
  /** GET, `?src=&height=&count=`: one JPEG of `count` pictures of a video side by side, evenly spread over its length. */
  filmstrip: '/api/filmstrip',
  /** GET, `?src=&count=`: `WaveformReply`. */
  waveform: '/api/waveform',
  /** POST `EditorBody`: `{}` once the editor has started. */
  editor: '/api/editor',
  /** GET, `?entry=`: `EditState`. */
  edit: '/api/edit',
  /** POST `StageBody`: `EditState`. */
  stage: '/api/edit/stage',
  /** POST, `?name=`, the bytes of a file as application/octet-stream: `UploadReply`. */
  upload: '/api/edit/upload',
  /** POST `InspectBody`: `ElementInspection`. */
  inspect: '/api/edit/inspect',
  /** POST `EditBody`: `EditState`, once the staged files are written. */
  write: '/api/edit/write',
  /** POST `EditBody`: `EditState`; drops all that is staged. */
  discard: '/api/edit/discard',
  /** POST `EditBody`: `EditState`; takes back the last staged call, else the last written entry. */
  undo: '/api/edit/undo',
  /** POST `EditBody`: `EditState`; applies again what was taken back last. */
  redo: '/api/edit/redo',
  /** POST `ResolveBody`: `ResolveReply`. */
  resolve: '/api/edit/resolve',
  /** POST `DropBody`: `ResolveReply`. */
  drop: '/api/edit/drop',
  /** POST `PreviewView`: `{}`; what the page shows, for assistants. */
  view: '/api/view',
  /** GET, `?entry=`: `CommentsReply`; POST `CommentBody`: the same, with the new comment. */
  comments: '/api/comments',
  /** POST `CommentChangeBody`, or DELETE: `CommentsReply`. */
  comment: '/api/comments/:id',
} as const
