import {
  CountSchema,
  type EventsOf,
  errorEvent,
  IndexSchema,
  MillisecondsSchema,
  Nullable,
  StateSchema,
  Type,
  WarningSchema,
} from '@vid/protocol'

const Pixels = Type.Integer({ minimum: 1 })

const BenchmarkRow = {
  quality: Type.String(),
  workers: Type.Union([CountSchema, Type.Literal('auto')]),
  frames: CountSchema,
  /** Median of the runs. */
  wallMs: MillisecondsSchema,
  /** Between the fastest and the slowest run. */
  spreadMs: MillisecondsSchema,
  bytes: CountSchema,
  /** Frames a second of the render. */
  fps: Type.Number({ minimum: 0 }),
  /** Length of the video over the time it took. */
  realtime: Type.Number({ minimum: 0 }),
  /** Milliseconds of waiting for the capture engine, a frame. */
  captureMs: Type.Number(),
  /** Milliseconds of waiting for the encoder, a frame. */
  encodeMs: Type.Number(),
}

const Severity = Type.Union([Type.Literal('error'), Type.Literal('warning')])

const DoctorCheck = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  /** Whether renders fail without it. */
  required: Type.Boolean(),
  detail: Type.String(),
  /** What to do; empty if there is nothing to do. */
  hint: Type.String(),
  /** What does not work as long as it fails; empty where it does not fail. */
  missing: Type.String(),
  /** The command that mends it; empty without one. */
  command: Type.String(),
})

const Finding = Type.Object({
  /** `lint/` and the rule's name, or `import/` and what is left to do. */
  code: Type.String(),
  file: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  /** CSS selector of the element, or of the style rule; null for scripts. */
  selector: Type.Union([Type.String(), Type.Null()]),
  message: Type.String(),
  hint: Type.String(),
  severity: Severity,
})

/** The events of these commands other than `render` and `inspect`: each emits its result or its error. */
export const cliEvents = [
  Type.Object({
    type: Type.Literal('doctor'),
    ok: Type.Boolean(),
    checks: Type.Array(DoctorCheck),
    /** What --fix has mended. */
    mended: Type.Array(Type.Object({ name: Type.String(), done: Type.String() })),
  }),
  errorEvent('doctor-error'),
  Type.Object({
    type: Type.Literal('browser-install'),
    version: Type.String(),
    path: Type.String(),
    /** Whether it was downloaded now. */
    fresh: Type.Boolean(),
    /** Address that it came from; null for the embedded one. */
    url: Nullable(Type.String()),
  }),
  errorEvent('browser-error'),
  Type.Object({
    type: Type.Literal('snapshot-complete'),
    width: Pixels,
    height: Pixels,
    snapshots: Type.Array(
      Type.Object({
        path: Type.String(),
        frame: IndexSchema,
        /** Seconds. */ time: Type.Number({ minimum: 0 }),
      }),
    ),
    warnings: Type.Array(WarningSchema),
    state: StateSchema,
  }),
  Type.Object({
    type: Type.Literal('lint'),
    ok: Type.Boolean(),
    errors: CountSchema,
    warnings: CountSchema,
    findings: Type.Array(Finding),
    state: StateSchema,
  }),
  Type.Object({ type: Type.Literal('benchmark-row'), ...BenchmarkRow }),
  Type.Object({
    type: Type.Literal('benchmark-complete'),
    runs: CountSchema,
    rows: Type.Array(Type.Object(BenchmarkRow)),
    /** With which instruction sets pages were drawn, and why; left out where the capture engine has no choice. */
    raster: Type.Optional(Type.String()),
  }),
  Type.Object({ type: Type.Literal('clean-complete'), /** Freed. */ bytes: CountSchema }),
  Type.Object({
    type: Type.Literal('plugin-create'),
    /** Absolute. */
    folder: Type.String(),
    package: Type.String(),
    /** Paths in the folder. */
    files: Type.Array(Type.String()),
  }),
  Type.Object({
    type: Type.Literal('init'),
    /** Absolute. */
    folder: Type.String(),
    template: Type.String(),
    /** Paths in the folder. */
    files: Type.Array(Type.String()),
  }),
  Type.Object({
    type: Type.Literal('init-templates'),
    templates: Type.Array(
      Type.Object({
        name: Type.String(),
        about: Type.String(),
        /** The format that it is made for, where it is not mp4. */
        format: Type.Optional(Type.String()),
        /** Its file of rows for `--batch`. */
        batch: Type.Optional(Type.String()),
      }),
    ),
  }),
  Type.Object({
    type: Type.Literal('import'),
    /** Absolute. */
    folder: Type.String(),
    /** Paths in the folder. */
    files: Type.Array(Type.String()),
    /** Names that were replaced. */
    renames: Type.Array(
      Type.Object({
        file: Type.String(),
        line: Type.Integer({ minimum: 1 }),
        from: Type.String(),
        to: Type.String(),
      }),
    ),
    /** What is left to do by hand. */
    findings: Type.Array(Finding),
  }),
  Type.Object({
    type: Type.Literal('live-start'),
    /** Address of the page that plays a video while it is rendered, with its token. */
    url: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65535 }),
  }),
  Type.Object({
    type: Type.Literal('preview-start'),
    /** Address of the page, with the token that opens it. */
    url: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65535 }),
    /** Origin of the compositions, such as http://localhost:3003. */
    origin: Type.String(),
  }),
  errorEvent('preview-error'),
  errorEvent('lint-error'),
  errorEvent('snapshot-error'),
  errorEvent('clean-error'),
  errorEvent('benchmark-error'),
  errorEvent('inspect-error'),
  errorEvent('plugin-error'),
  errorEvent('init-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof cliEvents> {}
}
