import { type PluginOf, type RenderRequest, type Static, Type } from '@vid/kernel'

type Targets = Readonly<Record<string, PluginOf<'target'>>>

/** Render settings that a preset or config may set; flags override them. */
export const RenderDefaultsSchema = Type.Partial(
  Type.Object(
    {
      format: Type.String(),
      /** Several outputs of one capture, in place of `format`; paths are relative to the current folder. */
      outputs: Type.Array(Type.Object({ format: Type.String(), output: Type.Optional(Type.String()) }), {
        minItems: 1,
      }),
      fps: Type.Union([Type.Literal(24), Type.Literal(30), Type.Literal(60)]),
      quality: Type.Union([Type.Literal('draft'), Type.Literal('standard'), Type.Literal('high')]),
      crf: Type.Integer({ minimum: 0, maximum: 51 }),
      videoBitrate: Type.String({ pattern: '^[1-9][0-9]{0,8}(\\.[0-9]+)?[kM]?$' }),
      gifLoop: Type.Integer({ minimum: 0, maximum: 65535 }),
      workers: Type.Union([Type.Integer({ minimum: 1, maximum: 8 }), Type.Literal('auto')]),
      segmentFrames: Type.Integer({ minimum: 1, maximum: 240 }),
      strictVariables: Type.Boolean(),
      videoFrameFormat: Type.Union([Type.Literal('auto'), Type.Literal('jpg'), Type.Literal('png')]),
      strict: Type.Boolean(),
      hdr: Type.Boolean(),
      sdr: Type.Boolean(),
      gpu: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
)
export type RenderDefaults = Static<typeof RenderDefaultsSchema> & Partial<Pick<RenderRequest, 'variables'>>

interface Slots {
  readonly capture?: PluginOf<'capture'>
  readonly encoders?: readonly PluginOf<'encoder'>[]
  /** Where finished segments are kept; false for nowhere. */
  readonly store?: PluginOf<'store'> | false
  readonly deliveries?: readonly PluginOf<'delivery'>[]
  /** Free-form plugins. */
  readonly plugins?: readonly PluginOf<'plugin'>[]
  readonly render?: RenderDefaults
}

/** A named bundle of plugins and render settings; what it leaves out is as in the standard preset. */
export interface Preset<N extends string = string, T extends Targets = Targets> extends Slots {
  readonly name: N
  readonly targets?: T
  readonly target?: string
}

type TargetNames<One> = One extends Preset<string, infer T> ? keyof T & string : never
type PresetTargets<P extends readonly Preset[]> = TargetNames<P[number]>

/** The whole of a config file; all of it may be left out. */
export interface VidConfig<T extends Targets = Targets, P extends readonly Preset[] = readonly Preset[]>
  extends Slots {
  readonly presets?: P
  /** Name of the preset to start from, default `standard`. */
  readonly preset?: P[number]['name'] | 'standard'
  readonly targets?: T
  /** Name of the target to render on. */
  readonly target?: NoInfer<(keyof T & string) | PresetTargets<P>> | 'local'
}

/** Types a config file: a wrong slot, option or target name is a compile error. */
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

/** The JSON form of a config file, which can name things but not import them. */
export const JsonConfigSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    preset: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    store: Type.Optional(Type.Literal(false)),
    render: Type.Optional(RenderDefaultsSchema),
  },
  { additionalProperties: false, title: 'vid.config.json' },
)
