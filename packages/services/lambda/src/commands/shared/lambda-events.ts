import {
  CountSchema,
  ErrorDataSchema,
  type EventsOf,
  errorEvent,
  MillisecondsSchema,
  Nullable,
  Type,
} from '@vid/protocol'

const Time = Type.String({ description: 'ISO 8601' })
const TimeOrNull = Nullable(Time)
const TextOrNull = Nullable(Type.String())
const CountOrNull = Nullable(CountSchema)
const Dollars = Type.Number({ minimum: 0 })

/** What identifies a render on AWS. */
const Handle = {
  renderId: Type.String(),
  executionArn: Type.String(),
  bucketName: Type.String(),
  stateMachineArn: Type.String(),
  /** `s3://` address of the file, or of the folder of a sequence of images. */
  outputS3Uri: Type.String(),
  startedAt: Time,
}

/** The parts of a cost. */
const CostPartsSchema = Type.Object({
  compute: Dollars,
  calls: Dollars,
  temporaryStorage: Dollars,
  transitions: Dollars,
  s3Requests: Dollars,
})

/** What calls of the function have cost, by list prices or those of the user. */
const CostSchema = Type.Object({
  usd: Dollars,
  byPart: CostPartsSchema,
  calls: CountSchema,
  coldStarts: CountSchema,
  billedSeconds: Type.Number({ minimum: 0 }),
  /** Of attempts that failed. */
  failedSeconds: Type.Number({ minimum: 0 }),
  /** True when the time of a killed attempt is not known, and the most it can be was counted. */
  isUpperBound: Type.Boolean(),
  /** Day of the prices. */
  pricesDate: Type.String(),
})

/** What a render costs and how long it takes under one assumption. */
const EstimateSchema = Type.Object({
  usd: Dollars,
  byPart: CostPartsSchema,
  seconds: Type.Number({ minimum: 0 }),
  billedSeconds: Type.Number({ minimum: 0 }),
})

/** What a render on AWS has made. */
const ResultSchema = Type.Object({
  renderId: Type.String(),
  /** For a folder, the prefix of its files. */
  outputKey: Type.String(),
  bytes: CountSchema,
  /** SHA-256 of the file, or of the lines that `sha256sum *` prints in a folder. */
  sha256: Type.String(),
  frames: CountSchema,
  durationMs: MillisecondsSchema,
  width: CountSchema,
  height: CountSchema,
  /** Number of files of a folder. */
  files: Type.Optional(CountSchema),
  /** Number of warnings. */
  warnings: CountSchema,
})

const StatusSchema = Type.Union([
  Type.Literal('RUNNING'),
  Type.Literal('SUCCEEDED'),
  Type.Literal('FAILED'),
  Type.Literal('TIMED_OUT'),
  Type.Literal('ABORTED'),
])

/** How far a render on AWS is. */
const LambdaProgressSchema = Type.Object({
  renderId: Type.String(),
  executionArn: Type.String(),
  status: StatusSchema,
  overallProgress: Type.Number({ minimum: 0, maximum: 1 }),
  framesRendered: CountSchema,
  /** Of them, those that were there from earlier renders. */
  framesReused: CountSchema,
  /** Null until the render is planned. */
  totalFrames: CountOrNull,
  chunksDone: CountSchema,
  totalChunks: CountOrNull,
  /** Format whose segments cannot be joined, so that one call renders all frames where the request has more; else null. */
  undividedFormat: TextOrNull,
  lambdasInvoked: CountSchema,
  /** What the calls have cost so far; null where no prices are known. */
  cost: Type.Union([CostSchema, Type.Null()]),
  /** `s3://` address, once the render has succeeded. */
  outputFile: TextOrNull,
  /** What the render has made, once it has succeeded. */
  result: Type.Union([ResultSchema, Type.Null()]),
  /** What failed, also where another attempt has succeeded. */
  errors: Type.Array(
    Type.Object({
      state: Type.String(),
      error: Type.String(),
      cause: Type.String(),
      hint: Type.Optional(Type.String()),
      fault: Type.Optional(ErrorDataSchema.properties.fault),
      plugin: Type.Optional(Type.String()),
      hook: Type.Optional(Type.String()),
    }),
  ),
  startedAt: Time,
  endedAt: TimeOrNull,
})

const Site = {
  siteId: Type.String(),
  bucketName: Type.String(),
}

/** The events of `vid lambda`. */
export const lambdaEvents = [
  /** Something that happens while a stack is deployed or destroyed. */
  Type.Object({
    type: Type.Literal('lambda-stack'),
    stage: Type.Union([
      Type.Literal('building'),
      Type.Literal('checking'),
      Type.Literal('compressing'),
      Type.Literal('built'),
      Type.Literal('upload'),
      Type.Literal('waiting'),
      Type.Literal('resource'),
      Type.Literal('emptying'),
    ]),
    /** Of the package that is uploaded. */
    bytes: Type.Optional(CountSchema),
    /** Of these bytes, those that have arrived. */
    sent: Type.Optional(CountSchema),
    unzippedBytes: Type.Optional(CountSchema),
    /** What the package consists of, largest first. */
    parts: Type.Optional(Type.Array(Type.Object({ name: Type.String(), bytes: CountSchema }))),
    /** Formats that the function makes. */
    formats: Type.Optional(Type.Array(Type.String())),
    /** Objects of the bucket that are removed so far. */
    objects: Type.Optional(CountSchema),
    /** Name in the template, and its kind, such as `AWS::S3::Bucket`. */
    resource: Type.Optional(Type.String()),
    resourceType: Type.Optional(Type.String()),
    /** Of the stack, or of the resource. */
    status: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
  }),
  Type.Object({
    type: Type.Literal('lambda-deploy'),
    stackName: Type.String(),
    bucketName: Type.String(),
    stateMachineArn: Type.String(),
    functionArn: Type.String(),
    logGroupName: Type.String(),
    /** SHA-256 of the package of the function, or the address of its image. */
    packageDigest: Type.String(),
    /** Of vid. */
    version: Type.String(),
    memoryMb: CountSchema,
    storageMb: CountSchema,
  }),
  Type.Object({
    type: Type.Literal('lambda-package'),
    /** Absolute, of the zip or of the folder that an image is built from. */
    path: Type.String(),
    /** Of the zip. */
    sha256: Type.Optional(Type.String()),
    bytes: Type.Optional(CountSchema),
    unzippedBytes: CountSchema,
    /** The largest first: packages of npm, and the files beside them. */
    parts: Type.Array(Type.Object({ name: Type.String(), bytes: CountSchema })),
    formats: Type.Array(Type.String()),
  }),
  Type.Object({
    type: Type.Literal('lambda-destroy'),
    stackName: Type.String(),
    /** The bucket with what is still in it; null when it is gone. */
    left: Type.Union([
      Type.Object({ bucketName: Type.String(), objects: CountSchema, bytes: CountSchema }),
      Type.Null(),
    ]),
  }),
  Type.Object({
    type: Type.Literal('lambda-policies'),
    /** Policy documents of IAM, by who needs them. */
    policies: Type.Record(Type.String(), Type.Unknown()),
  }),
  Type.Object({
    type: Type.Literal('lambda-template'),
    /** Template of CloudFormation. */
    template: Type.Unknown(),
    /** Key of the package in the bucket of the parameter CodeBucket; null for an image. */
    packageKey: TextOrNull,
  }),
  Type.Object({
    type: Type.Literal('lambda-site'),
    ...Site,
    files: CountSchema,
    bytes: CountSchema,
    /** False when it was there. */
    uploaded: Type.Boolean(),
  }),
  Type.Object({
    type: Type.Literal('lambda-sites'),
    sites: Type.Array(Type.Object({ ...Site, /** Of its zip. */ zipBytes: CountSchema, uploadedAt: Time })),
  }),
  Type.Object({ type: Type.Literal('lambda-render'), ...Handle }),
  Type.Object({
    type: Type.Literal('lambda-list'),
    /** The latest first. */
    renders: Type.Array(
      Type.Object({
        renderId: Type.String(),
        executionArn: Type.String(),
        status: StatusSchema,
        startedAt: Time,
        /** Null while it runs. */
        endedAt: TimeOrNull,
      }),
    ),
    hasMore: Type.Boolean(),
  }),
  Type.Object({ type: Type.Literal('lambda-progress'), ...LambdaProgressSchema.properties }),
  Type.Object({
    type: Type.Literal('lambda-complete'),
    ...LambdaProgressSchema.properties,
    /** Absolute path of the file that was fetched. */
    outputPath: Type.Optional(Type.String()),
  }),
  Type.Object({
    type: Type.Literal('lambda-estimate'),
    low: EstimateSchema,
    expected: EstimateSchema,
    high: EstimateSchema,
    usd: Dollars,
    seconds: Type.Number({ minimum: 0 }),
    frames: CountSchema,
    chunks: CountSchema,
    /** Day of the prices. */
    pricesDate: Type.String(),
    /** Whether a call may take longer than Lambda lets one run. */
    mayTakeTooLong: Type.Boolean(),
  }),
  Type.Object({ type: Type.Literal('lambda-stop'), renderId: Type.String() }),
  Type.Object({
    type: Type.Literal('lambda-log'),
    time: Time,
    action: Type.String(),
    /** Number of the chunk; 0 for other actions. */
    chunk: CountSchema,
    /** Of the call that has written it. */
    requestId: Type.String(),
    message: Type.String(),
  }),
  errorEvent('lambda-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof lambdaEvents> {}
}
