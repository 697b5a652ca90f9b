import { numberFrom, type OptionTable, settingOption, surfaceOptions } from '@vid/command'
import { requestSettings } from '@vid/protocol'
import { lambdaSurface } from '../../contract/execution-input.ts'

/** Options that select a stack. */
export const stackOptions = {
  stack: {
    kind: 'text',
    rule: 'a name of letters, digits and hyphens that begins with a letter, at most 40 characters',
    pattern: /^[A-Za-z][A-Za-z0-9-]{0,39}$/,
    about: 'CloudFormation stack',
    default: 'vid-render',
  },
  region: {
    kind: 'text',
    rule: 'a region such as eu-central-1',
    pattern: /^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/,
    about: 'AWS region',
    default: 'AWS_REGION, or that of the AWS profile',
  },
} as const satisfies OptionTable

/** Bucket and state machine, for users who may not read the stack. */
export const stackPlaceOptions = {
  bucket: {
    kind: 'text',
    rule: 'the name of a bucket',
    pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    about: 'bucket of the stack',
    default: 'VID_BUCKET, otherwise that of the stack',
  },
  'state-machine': {
    kind: 'text',
    rule: 'the ARN of a state machine',
    pattern: /^arn:[\w-]+:states:[\w-]+:\d{12}:stateMachine:[\w-]{1,80}$/,
    about: 'ARN of the state machine of the stack',
    default: 'VID_SFN_ARN, otherwise that of the stack',
  },
  ...stackOptions,
} as const satisfies OptionTable

/** Options for following a render to its end. */
export const followOptions = {
  'poll-interval': {
    kind: 'text',
    rule: 'seconds from 0.1 to 3600',
    read: numberFrom(0.1, 3600),
    about: 'time between two checks of the render',
    default: '3',
  },
  memory: {
    kind: 'integer',
    min: 128,
    max: 10_240,
    about: 'memory of the function in MB, for its cost',
    default: 'that of the stack; 10240 if the stack is not queried',
  },
  prices: {
    kind: 'text',
    rule: 'a path',
    about: 'JSON file with your own AWS prices',
    default: 'the built-in prices',
  },
} as const satisfies OptionTable

const POLL_S = 3

/** Milliseconds between two polls. */
export const pollMsOf = (options: { readonly 'poll-interval'?: unknown }): number =>
  Number(options['poll-interval'] ?? POLL_S) * 1000

/** Option for the function's config. */
export const configFlag = {
  kind: 'text',
  rule: 'a path',
  about: 'config of the function, with its plugins',
  default: 'that of the current folder',
} as const

/** Option for the id of a site. */
export const siteFlag = {
  kind: 'text',
  rule: 'the 64 hexadecimal digits that vid lambda sites create prints',
  pattern: /^[0-9a-f]{64}$/,
  about: 'an uploaded project; the command uploads nothing',
} as const

const SIDE = { kind: 'integer', min: 1, max: 16_384 } as const

/** Options of the picture, and of the distribution of its frames over calls. */
export const lambdaRenderOptions = {
  'site-id': siteFlag,
  width: { ...SIDE, about: 'width of the picture in pixels', default: "the composition's own" },
  height: { ...SIDE, about: 'height of the picture in pixels', default: "the composition's own" },
  ...surfaceOptions(lambdaSurface, {
    codec: { about: `${requestSettings.codec.about}; one that the ffmpeg of the function has` },
    captions: { about: 'captions: burn draws them, as without this; track adds text tracks; sidecar is refused' },
    poster: {
      about: 'writes the frame that the video shows at this time as a picture beside it, in the bucket and here',
    },
    strict: { about: `${requestSettings.strict.about}; lint runs here, before the upload` },
  }),
  preset: {
    kind: 'text',
    rule: 'a name',
    about: 'preset in the config of the function',
  },
  hdr: settingOption('hdr', { about: 'refused: the function does not support HDR' }),
  'chunk-size': {
    kind: 'integer',
    min: 1,
    max: 10_000_000,
    about: 'frames that one call of the function renders',
    default: '240',
  },
  'max-parallel-chunks': {
    kind: 'integer',
    min: 1,
    max: 1000,
    about: 'limit of function calls for one render',
    default: '16',
  },
  'target-chunk-frames': {
    kind: 'integer',
    min: 1,
    max: 10_000_000,
    about: 'target number of frames per call, up to --max-parallel-chunks calls; ignored with --chunk-size',
  },
  growing: {
    kind: 'switch',
    about: 'publish an hls video in the bucket while it is rendered; --no-growing stores it when it is finished',
    default: 'on for hls',
  },
  cache: {
    kind: 'switch',
    about: 'reuse finished segments of the bucket; --no-cache renders everything again and keeps none',
    default: 'on',
  },
} as const satisfies OptionTable
