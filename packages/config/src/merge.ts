import { sourceReader } from '@vid/assets'
import { compositionReader } from '@vid/core'
import { resultKeeper } from '@vid/delivery'
import { mediaReader } from '@vid/ffmpeg'
import type { KernelSetup, PluginOf, RenderRequest } from '@vid/kernel'
import type { Preset, RenderDefaults, VidConfig } from './define.ts'
import { fail } from './errors.ts'

/** What a name was given by: the standard preset, a preset, the config file, the environment or a flag. */
export type Source = 'default' | `preset ${string}` | 'config' | `environment ${string}` | `flag ${string}`

/** One merged value and where it came from. */
export interface Provenance {
  readonly value: unknown
  readonly source: Source
}

export interface MergeInput {
  readonly config: VidConfig
  /** Presets that are always known. */
  readonly builtin: readonly Preset[]
  readonly env: NodeJS.ProcessEnv
  readonly flags: {
    readonly preset?: string | undefined
    readonly target?: string | undefined
    /** False to keep and look up no segment. */
    readonly cache?: boolean | undefined
    /** True to look no segment up, and to keep what is made. */
    readonly fresh?: boolean | undefined
  } & Partial<RenderRequest>
}

/** The merged configuration: the plugins to run, the settings to render with, and why. */
export interface MergedConfig {
  readonly setup: KernelSetup
  readonly render: RenderDefaults
  readonly preset: string
  readonly target: string | undefined
  readonly presets: readonly string[]
  readonly targets: readonly string[]
  readonly provenance: Readonly<Record<string, Provenance>>
}

type Layer = readonly [Source, Readonly<Record<string, unknown>>]

/** Later layers win; what a layer leaves undefined falls through. */
const overlay = (layers: readonly Layer[]): Record<string, Provenance> => {
  const merged: Record<string, Provenance> = {}
  for (const [source, values] of layers)
    for (const [key, value] of Object.entries(values))
      if (value !== undefined) merged[key] = { value, source }
  return merged
}

/** A store that knows a `fresh` option, with it set. */
const freshStore = (store: PluginOf<'store'> | false | undefined, fresh = false) =>
  store && fresh && store.optionsSchema && 'fresh' in store.optionsSchema.properties
    ? { ...store, options: { ...store.options, fresh } }
    : store

/** Media is fetched from the hosts that this machine's capture plugin may load files from, whatever a plan says. */
const fetchOptions = ({ options }: KernelSetup['capture']): { readonly privateHosts?: string[] } =>
  Array.isArray(options.privateHosts) ? { privateHosts: options.privateHosts.map(String) } : {}

/** What a preset brings, by name. */
const presetContent = ({
  capture,
  encoders = [],
  store,
  targets,
  deliveries = [],
  plugins = [],
  ...rest
}: Preset) => ({
  plugins: [
    ...(capture ? [capture] : []),
    ...encoders,
    ...(store ? [store] : []),
    ...Object.values(targets ?? {}),
    ...deliveries,
    ...plugins,
  ].map(({ name }) => name),
  render: rest.render ?? {},
})

/** Merges defaults < standard preset < chosen preset < config < environment < flags. */
export const mergeConfig = ({ config, builtin, env, flags }: MergeInput): MergedConfig => {
  const { preset: presetFlag, target: targetFlag, cache, fresh, ...renderFlags } = flags
  const presets = [...(config.presets ?? []), ...builtin]
  const known = [...new Set(presets.map(({ name }) => name))]
  const flagSource = (name: string): Source =>
    `flag --${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`

  const choice = overlay([
    ['default', { preset: builtin[0]?.name }],
    ['config', { preset: config.preset }],
    ['environment VID_PRESET', { preset: env.VID_PRESET || undefined }],
    [flagSource('preset'), { preset: presetFlag }],
  ]).preset as Provenance
  const preset = presets.find(({ name }) => name === choice.value)
  if (!preset)
    throw fail('VID_PRESET_UNKNOWN', { preset: String(choice.value), source: choice.source, known })
  const fromPreset: Source = `preset ${preset.name}`
  // What a preset does not say is as in the first builtin one.
  const base = builtin[0] && builtin[0].name !== preset.name ? builtin[0] : undefined
  const fromBase: Source = `preset ${base?.name ?? ''}`

  const targets = { ...base?.targets, ...preset.targets, ...config.targets }
  const target = overlay([
    [fromBase, { target: base?.target }],
    [fromPreset, { target: preset.target }],
    ['config', { target: config.target }],
    ['environment VID_TARGET', { target: env.VID_TARGET || undefined }],
    [flagSource('target'), { target: targetFlag }],
  ]).target
  const chosen = target && targets[target.value as string]
  if (target && !chosen)
    throw fail('VID_TARGET_UNKNOWN', {
      target: String(target.value),
      source: target.source,
      known: Object.keys(targets),
    })

  const slots = overlay([
    [fromBase, { capture: base?.capture, store: base?.store, deliveries: base?.deliveries }],
    [fromPreset, { capture: preset.capture, store: preset.store, deliveries: preset.deliveries }],
    ['config', { capture: config.capture, store: config.store, deliveries: config.deliveries }],
    ['environment VID_CACHE', { store: env.VID_CACHE === 'off' ? false : undefined }],
    [flagSource('no-cache'), { store: cache === false ? false : undefined }],
  ])
  const store = freshStore(slots.store?.value as PluginOf<'store'> | false | undefined, fresh)
  const capture = slots.capture?.value as KernelSetup['capture'] | undefined
  if (!capture) throw fail('VID_CAPTURE_MISSING', { preset: preset.name })

  // The nearest comes first, so that it wins for a format that two make, and replaces one of its name.
  const encoders: { readonly encoder: PluginOf<'encoder'>; readonly source: Source }[] = []
  for (const [source, list = []] of [
    ['config', config.encoders],
    [fromPreset, preset.encoders],
    [fromBase, base?.encoders],
  ] as const)
    for (const encoder of list)
      if (encoders.every((known) => known.source === source || known.encoder.name !== encoder.name))
        encoders.push({ encoder, source })
  const plugins = [base?.plugins, preset.plugins, config.plugins]
    .flatMap((list = [], layer) => list.map((plugin) => ({ plugin, layer })))
    .filter(({ plugin, layer }, _, all) =>
      all.every((other) => other.layer <= layer || other.plugin.name !== plugin.name),
    )
    .map(({ plugin }) => plugin)
  const layers: readonly Layer[] = [
    [fromBase, base?.render ?? {}],
    [fromPreset, preset.render ?? {}],
    ['config', config.render ?? {}],
    ...Object.entries(renderFlags).map(([key, value]): Layer => [flagSource(key), { [key]: value }]),
  ]
  const render = overlay(layers)
  // One of the two says what is made: that of the last layer which says anything.
  const last = layers.findLast(([, values]) => values.format !== undefined || values.outputs !== undefined)
  if (last) delete render[last[1].outputs === undefined ? 'outputs' : 'format']
  const named = (plugin: { name: string; options: unknown }) => plugin.name
  return {
    setup: {
      capture,
      encoders: encoders.map(({ encoder }) => encoder),
      ...(store && { store }),
      ...(chosen && { target: chosen }),
      deliveries: (slots.deliveries?.value as KernelSetup['deliveries']) ?? [],
      plugins: [
        compositionReader(),
        sourceReader(fetchOptions(capture)),
        mediaReader(),
        resultKeeper(),
        ...plugins,
      ],
    },
    render: Object.fromEntries(Object.entries(render).map(([key, { value }]) => [key, value])),
    preset: preset.name,
    target: target?.value as string | undefined,
    presets: known,
    targets: Object.keys(targets),
    provenance: {
      preset: choice,
      ...Object.fromEntries(
        presets
          .filter(({ name }, index) => presets.findIndex((other) => other.name === name) === index)
          .map((each): [string, Provenance] => [
            `presets.${each.name}`,
            { value: presetContent(each), source: config.presets?.includes(each) ? 'config' : 'default' },
          ]),
      ),
      ...(target && { target }),
      capture: { value: named(capture), source: slots.capture?.source ?? 'default' },
      ...Object.fromEntries(
        encoders.map(({ encoder, source }): [string, Provenance] => [
          `encoders.${encoder.name}`,
          { value: encoder.formats, source },
        ]),
      ),
      ...(slots.store && { store: { ...slots.store, value: store && named(store) } }),
      deliveries: {
        value: ((slots.deliveries?.value as KernelSetup['deliveries']) ?? []).map(named),
        source: slots.deliveries?.source ?? 'default',
      },
      ...Object.fromEntries(Object.entries(render).map(([key, value]) => [`render.${key}`, value])),
    },
  }
}
