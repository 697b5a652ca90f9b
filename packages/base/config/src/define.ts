import type { CheckLevel, PluginOf } from '@vid/kernel'
import {
  type RenderRequest,
  type RequestSetting,
  requestSettings,
  type SettingName,
  type Static,
  Type,
} from '@vid/protocol'

type Targets = Readonly<Record<string, PluginOf<'target'>>>

type Configurable = {
  [K in SettingName]: (typeof requestSettings)[K]['configurable'] extends true ? K : never
}[SettingName]
type LocalSchema<S> = S extends { readonly local: infer L } ? L : S extends { readonly schema: infer D } ? D : never

const configurable = Object.entries<RequestSetting>(requestSettings)
  .filter(([, setting]) => setting.configurable)
  .map(([name, { schema, local = schema, about }]) => [name, Type.With(local, { description: about })])

/** Render settings that a preset or config may set; flags override them. */
export const RenderDefaultsSchema = Type.Partial(
  Type.Object(
    Object.fromEntries(configurable) as {
      [K in Configurable]: LocalSchema<(typeof requestSettings)[K]>
    },
  ),
)
/** Names of the formats that vid makes by itself. */
export type BuiltinFormat = 'mp4' | 'mov' | 'webm' | 'gif' | 'png-sequence' | 'hls'
/** Names of formats: an editor offers those of vid, a plugin may make any other. */
export type FormatName = BuiltinFormat | (string & Record<never, never>)
/** Render settings of a preset or config, without those that only a caller can set. */
export type RenderDefaults = Omit<Static<typeof RenderDefaultsSchema>, 'format'> & {
  format?: FormatName
} & Partial<Pick<RenderRequest, 'variables'>>

/** Names of the presets that come with vid, and are known without being listed. */
export type BuiltinPreset = 'standard' | 'social-square' | 'social-story' | 'social-wide' | 'alpha' | 'alpha-mov'

interface Slots {
  readonly capture?: PluginOf<'capture'>
  readonly encoders?: readonly PluginOf<'encoder'>[]
  /** Where finished segments are kept; false to keep none. */
  readonly store?: PluginOf<'store'> | false
  readonly deliveries?: readonly PluginOf<'delivery'>[]
  /** Free-form plugins. */
  readonly plugins?: readonly PluginOf<'plugin'>[]
  readonly render?: RenderDefaults
}

/** A named bundle of plugins and render settings; the standard preset fills in the rest. */
export interface Preset<N extends string = string, T extends Targets = Targets> extends Slots {
  readonly name: N
  readonly targets?: T
  readonly target?: string
}

type TargetNames<One> = One extends Preset<string, infer T> ? keyof T & string : never
type PresetTargets<P extends readonly Preset[]> = TargetNames<P[number]>

const LevelSchema = Type.Union(['error', 'warning', 'note', 'off'].map((level) => Type.Literal(level)))

/** What `vid check` makes of its rules, by name: a level, or a level with the options of a rule that comes with vid. */
export const CheckSettingsSchema = Type.Record(
  Type.String(),
  Type.Union([LevelSchema, Type.Object({ level: Type.Optional(LevelSchema) }, { additionalProperties: true })]),
)

/** What a config makes of one rule of `vid check`. */
export type CheckSetting =
  | CheckLevel
  | 'off'
  | { readonly level?: CheckLevel | 'off'; readonly [option: string]: unknown }

/** A command of the command line, which `defineCommand` of @vid/command makes. */
export interface ConfigCommand {
  /** Its words, such as `storyboard`. */
  readonly path: string
  readonly summary: string
  readonly options: object
  run(run: never): Promise<unknown>
}

/** The whole of a config file; all of it may be left out. */
export interface VidConfig<T extends Targets = Targets, P extends readonly Preset[] = readonly Preset[]> extends Slots {
  readonly presets?: P
  /** Name of the preset to start from, default `standard`. */
  readonly preset?: P[number]['name'] | BuiltinPreset
  readonly targets?: T
  /** Commands that `vid` gets in this folder and those below it. */
  readonly commands?: readonly ConfigCommand[]
  /** Rules of `vid check` besides its own. */
  readonly checks?: readonly PluginOf<'check'>[]
  /** Levels and options of its rules, such as `{ contrast: 'warning', loudness: { target: -14 } }`. */
  readonly check?: Readonly<Record<string, CheckSetting>>
  /** What `vid captions transcribe` asks. */
  readonly transcriber?: PluginOf<'transcriber'>
  /** What `vid captions speak` asks. */
  readonly speaker?: PluginOf<'speaker'>
  /** Name of the target to render on. */
  readonly target?: NoInfer<(keyof T & string) | PresetTargets<P>> | 'local' | 'docker'
}

/** Types a config file: a wrong key, option or target name is a compile error. */
export const defineConfig = <
  const T extends Targets = Record<never, never>,
  const P extends readonly Preset[] = readonly [],
>(
  config: VidConfig<T, P>,
): VidConfig<T, P> => config

/** Types a preset and keeps its name and its targets' names. */
export const definePreset = <const N extends string, const T extends Targets = Record<never, never>>(
  preset: Preset<N, T>,
): Preset<N, T> => preset

// Making a schema's properties optional drops what it says of others.
const JsonRenderSchema = Type.With(
  Type.Partial(Type.Object({ ...RenderDefaultsSchema.properties, variables: requestSettings.variables.schema })),
  { additionalProperties: false },
)

/** The JSON form of a config file, which can name things but not import them. */
export const JsonConfigSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    preset: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    store: Type.Optional(Type.Literal(false)),
    check: Type.Optional(CheckSettingsSchema),
    render: Type.Optional(JsonRenderSchema),
  },
  { additionalProperties: false, title: 'vid.config.json' },
)
