import { FRAME_RATE_RULE, readFrameRate } from './frame-rate.ts'
import { LADDER_RULE, readLadder, readScale, readShapes, SCALE_RULE, SHAPES_RULE } from './picture-size.ts'
import { anyObject, type TSchema, Type, Value } from './schema.ts'
import { TIME_PATTERN, TIME_RULE } from './time-text.ts'

/**
 * When a setting changes the output: always, when the encoder lists it in `takes`, or when the encoder supports sound,
 * HDR or hardware encoding.
 */
export type SettingEffect = 'always' | 'taken' | 'sound' | 'hdr' | 'hardware'

/**
 * What a setting is about: what is rendered, its picture, its sound, the files of the result, the machine that works, or
 * where files are on it. The first four travel to every surface that renders elsewhere, unless that says otherwise.
 */
export type SettingScope = 'source' | 'picture' | 'sound' | 'file' | 'machine' | 'place'

/** One setting of a render request; flags, config schema, JSON Schema and the request schema are made from it. */
export interface RequestSetting<S extends TSchema = TSchema> {
  /** What every surface accepts, with its default. */
  readonly schema: S
  /** What it does, as --help and JSON Schema say it. */
  readonly about: string
  readonly scope: SettingScope
  readonly effect: SettingEffect
  /** Whether a preset or config file may set it; false for settings that name the files of one render. */
  readonly configurable: boolean
  /** What the command and the config accept, where that is narrower than for a server. */
  readonly local?: TSchema
  /** Name of its flag without dashes, where that is not its own name in kebab case; null for none. */
  readonly flag?: string | null
  /** One-character form of its flag. */
  readonly short?: string
  /** The rule for a string, in words. */
  readonly rule?: string
  /** Its exact value, from the text of a flag or a value of the schema; undefined when it breaks the rule. */
  readonly read?: (value: unknown) => number | string | undefined
}

type Facts = Omit<RequestSetting, 'schema' | 'about' | 'scope' | 'effect' | 'configurable'> & {
  readonly effect?: SettingEffect
  readonly configurable?: boolean
}

type Filled<F extends Facts> = Omit<F, 'effect' | 'configurable'> & {
  readonly effect: F extends { readonly effect: infer E } ? E : 'always'
  readonly configurable: F extends { readonly configurable: false } ? false : true
}

/** A schema that also holds values to the rule of their setting, so that every surface refuses the same, in its words. */
const ruled = (schema: TSchema, { read, rule }: Pick<RequestSetting, 'read' | 'rule'>): TSchema => {
  const isPattern = rule !== undefined && 'pattern' in schema
  if (!read && !isPattern) return schema
  const fits = (value: unknown) => (read ? read(value) !== undefined : Value.Check(schema, value))
  return Type.Refine(schema, fits, () => `must be ${rule}`)
}

const setting = <const P extends SettingScope, S extends TSchema, const F extends Facts = object>(
  scope: P,
  about: string,
  schema: S,
  facts: F = {} as F,
): Filled<F> & { readonly scope: P; readonly about: string; readonly schema: S } =>
  ({
    effect: 'always',
    configurable: true,
    ...facts,
    scope,
    about,
    schema: Type.With(ruled(schema, facts), { description: about }),
  }) as never

/** LUFS that a sound can be brought to. */
const QUIETEST = -70
const LOUDEST = -5

/** The loudness that a value means, in LUFS. */
const readLoudness = (value: unknown): number | 'off' | undefined => {
  if (value === 'off') return value
  const loudness = typeof value === 'string' && /^-?\d{1,3}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value
  return typeof loudness === 'number' && loudness >= QUIETEST && loudness <= LOUDEST ? loudness : undefined
}

/** What a render may do with captions: draw them, write files beside the video, add text tracks to it. */
const CAPTION_USES = ['burn', 'sidecar', 'track'] as const

/** One of these uses. */
export type CaptionUse = (typeof CAPTION_USES)[number]

/** The uses in one order, joined by commas; undefined for anything else. */
const readCaptionUses = (value: unknown): string | undefined => {
  const names = String(value)
    .split(',')
    .map((name) => name.trim())
  if (!names.every((name) => (CAPTION_USES as readonly string[]).includes(name))) return undefined
  return CAPTION_USES.filter((use) => names.includes(use)).join(',')
}

const perRender = { configurable: false } as const

/** Every setting of a render request, by name. */
export const requestSettings = {
  projectDir: setting('place', 'absolute folder of the composition', Type.String(), { ...perRender, flag: null }),
  entry: setting('source', 'entry file', Type.String({ default: 'index.html' }), {
    ...perRender,
    flag: 'composition',
    short: 'c',
    rule: 'an HTML file of the folder',
  }),
  output: setting('place', 'where the result goes; a folder for a sequence of images', Type.String(), {
    ...perRender,
    short: 'o',
    rule: 'a path',
  }),
  force: setting(
    'place',
    'replace a link, or a file that is not an earlier result; never a device, a pipe or a folder of other files',
    Type.Boolean({ default: false }),
    perRender,
  ),
  format: setting('file', 'output format', Type.String({ default: 'mp4' }), { rule: 'a format of an encoder' }),
  outputs: setting(
    'file',
    'further files of the same frames',
    Type.Array(Type.Object({ format: Type.String(), output: Type.String() }), { default: [] }),
    {
      flag: null,
      local: Type.Array(Type.Object({ format: Type.String(), output: Type.Optional(Type.String()) }), {
        minItems: 1,
        description: 'several outputs of one capture, in place of `format`; paths start at the current folder',
      }),
    },
  ),
  fps: setting(
    'picture',
    'frames per second; 23.976, 29.97 and 59.94 mean 24000/1001, 30000/1001 and 60000/1001',
    Type.Union([Type.Number({ minimum: 1, maximum: 240 }), Type.String({ pattern: '^[\\d./]{1,16}$' })], {
      default: 30,
    }),
    { short: 'f', rule: FRAME_RATE_RULE, read: readFrameRate },
  ),
  scale: setting(
    'picture',
    'pixels of the picture for each pixel of the composition, which is laid out as it is',
    Type.Optional(
      Type.Union([Type.Number({ minimum: 0.05, maximum: 8 }), Type.String({ pattern: '^[\\d./]{1,20}$' })]),
    ),
    { rule: SCALE_RULE, read: readScale },
  ),
  resolution: setting(
    'picture',
    'size of the picture, in the shape of the composition, instead of a scale',
    Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,4}x[1-9]\\d{0,4}$' })),
    { rule: 'a size such as 1280x720' },
  ),
  shapes: setting(
    'picture',
    'shapes that the composition is laid out for, each a video with the shorter side of the composition',
    Type.Optional(Type.String({ maxLength: 60 })),
    { rule: SHAPES_RULE, read: readShapes },
  ),
  from: setting(
    'source',
    'time at which the video begins, in the composition',
    Type.Optional(Type.String({ pattern: `^(${TIME_PATTERN})$`, maxLength: 40 })),
    { ...perRender, rule: TIME_RULE },
  ),
  to: setting(
    'source',
    'time before which the video ends, in the composition',
    Type.Optional(Type.String({ pattern: `^(${TIME_PATTERN})$`, maxLength: 40 })),
    { ...perRender, rule: TIME_RULE },
  ),
  quality: setting(
    'file',
    'quality preset',
    Type.Union([Type.Literal('draft'), Type.Literal('standard'), Type.Literal('high')], {
      default: 'standard',
    }),
    {
      effect: 'taken',
      short: 'q',
    },
  ),
  codec: setting(
    'file',
    'codec of an mp4 or hls video; h264 plays everywhere, hevc and av1 take fewer bytes and more time',
    Type.Optional(Type.Union([Type.Literal('h264'), Type.Literal('hevc'), Type.Literal('av1')])),
    { effect: 'taken' },
  ),
  crf: setting(
    'file',
    'constant quality, instead of the one of the quality preset',
    Type.Optional(Type.Integer({ minimum: 0, maximum: 51 })),
    { effect: 'taken' },
  ),
  videoBitrate: setting(
    'file',
    'target bitrate, instead of a constant quality',
    Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}(\\.[0-9]+)?[kM]?$' })),
    { effect: 'taken', rule: 'bits per second, like 10M or 5000k' },
  ),
  gifLoop: setting(
    'file',
    'loop count of a gif, 0 (the default) for ever',
    Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
    { effect: 'taken' },
  ),
  ladder: setting(
    'file',
    'further sizes of an hls video by the shorter side, in pixels',
    Type.Optional(Type.String({ maxLength: 60 })),
    { effect: 'taken', rule: LADDER_RULE, read: readLadder },
  ),
  loudness: setting(
    'sound',
    'integrated loudness that the sound is brought to, with a true peak of at most -1 dB; off keeps its levels',
    Type.Optional(Type.Union([Type.Number({ minimum: QUIETEST, maximum: LOUDEST }), Type.Literal('off')])),
    { effect: 'sound', rule: `LUFS from ${QUIETEST} to ${LOUDEST} such as -14, or off`, read: readLoudness },
  ),
  workers: setting(
    'machine',
    'browsers that capture in parallel',
    Type.Union([Type.Integer({ minimum: 1, maximum: 8 }), Type.Literal('auto')], { default: 'auto' }),
    { short: 'w' },
  ),
  segmentFrames: setting(
    'machine',
    'most frames in a segment; part of the plan, since it decides where key frames stand',
    Type.Integer({ minimum: 1, maximum: 240, default: 120 }),
    { flag: null },
  ),
  variables: setting('source', 'values of variables', anyObject({ default: {} }), {
    ...perRender,
    rule: 'JSON object text',
  }),
  strictVariables: setting('source', 'make every warning about a variable an error', Type.Boolean({ default: false })),
  captions: setting(
    'picture',
    'captions: burn draws them, as without this; sidecar writes .vtt and .srt beside the video; track adds text tracks',
    Type.Optional(Type.String({ maxLength: 40 })),
    { rule: 'burn, sidecar or track, or several of them with commas', read: readCaptionUses },
  ),
  poster: setting(
    'file',
    'writes the frame that the video shows at this time as a picture: video.poster.jpg beside video.mp4',
    Type.Optional(Type.String({ pattern: `^(${TIME_PATTERN})$`, maxLength: 40 })),
    { rule: TIME_RULE },
  ),
  videoFrameFormat: setting(
    'picture',
    'how frames of source videos are extracted; auto keeps alpha and is fast otherwise',
    Type.Union([Type.Literal('auto'), Type.Literal('jpg'), Type.Literal('png')], { default: 'auto' }),
  ),
  network: setting(
    'source',
    'what a page may fetch: nothing, addresses in the text of the project, or every public address',
    Type.Union([Type.Literal('none'), Type.Literal('declared'), Type.Literal('public')], {
      default: 'public',
    }),
  ),
  strict: setting(
    'source',
    'render nothing when lint finds an error, or a script, a file or a media source fails',
    Type.Boolean({ default: false }),
  ),
  hdr: setting('picture', 'force HDR output, also without an HDR source', Type.Boolean({ default: false }), {
    effect: 'hdr',
  }),
  sdr: setting('picture', 'force SDR output: HDR sources are tone-mapped', Type.Boolean({ default: false })),
  gpu: setting('machine', 'encode in hardware if the planning machine supports it', Type.Boolean({ default: false }), {
    effect: 'hardware',
  }),
  browserGpu: setting(
    'machine',
    'draw pages on the GPU of this machine; auto where one is found and draws as it should, but not in containers and on servers',
    Type.Union([Type.Boolean(), Type.Literal('auto')], { default: 'auto' }),
  ),
  raster: setting(
    'machine',
    'instruction sets that draw pages: those of this processor, or those of every one; auto is native if the plan stays on this machine',
    Type.Union([Type.Literal('auto'), Type.Literal('native'), Type.Literal('portable')], { default: 'auto' }),
  ),
} satisfies Readonly<Record<string, RequestSetting>>

/** Name of a setting of a render request. */
export type SettingName = keyof typeof requestSettings

/** A caller's names of settings, so that messages and sources use the names that the user wrote. */
export interface Spelling {
  /** A setting as its user writes it, such as `--crf`. */
  name(setting: string): string
  /** Where the value of a setting comes from, such as `flag --crf`. */
  source(setting: string): string
}

/** Names of the settings that only some encoders take. */
export type EncoderSetting = {
  [K in SettingName]: (typeof requestSettings)[K]['effect'] extends 'taken' ? K : never
}[SettingName]

/** Pairs of settings that contradict each other. */
export const settingConflicts: readonly (readonly [SettingName, SettingName])[] = [
  ['crf', 'videoBitrate'],
  ['hdr', 'sdr'],
  ['scale', 'resolution'],
]

type Schemas = { [K in SettingName]: (typeof requestSettings)[K]['schema'] }

/** The schemas of all settings, by name. */
export const settingSchemas = Object.fromEntries(
  Object.entries(requestSettings).map(([name, { schema }]) => [name, schema]),
) as unknown as Schemas
