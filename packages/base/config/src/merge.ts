import type { KernelSetup, PluginOf } from '@vid/kernel'
import type { RenderRequest, Warning } from '@vid/protocol'
import { choosePreset, chooseTarget } from './choose-preset.ts'
import type { Preset, RenderDefaults, VidConfig } from './define.ts'
import { fail } from './errors.ts'
import { type Layer, overlay, type Provenance, type Source } from './layers.ts'
import {
  alikeWarnings,
  type ContestedFormat,
  contestedFormats,
  mergeEncoders,
  mergePlugins,
  type SourcedEncoder,
} from './merge-plugins.ts'

/** The settings of a caller, which override the configuration. */
export interface AskedSettings extends Partial<RenderRequest> {
  readonly preset?: string | undefined
  readonly target?: string | undefined
  /** False to neither keep nor reuse segments. */
  readonly cache?: boolean | undefined
  /** True to reuse no segment, but to keep new ones. */
  readonly fresh?: boolean | undefined
}

/** Parameters of the plugins that every render runs. */
export interface ChosenPlugins {
  readonly capture: PluginOf<'capture'>
  /** Whether no segment is looked up. */
  readonly fresh: boolean
}

export interface MergeInput {
  readonly config: VidConfig
  /** Presets that are always known; the first is the default, and fills in what another leaves out. */
  readonly presets: readonly Preset[]
  /** Free-form plugins that every render runs, before those of presets and config. */
  plugins(chosen: ChosenPlugins): readonly PluginOf<'plugin'>[]
  /** Targets of packages of vid that are known without being listed. */
  readonly installed?: Readonly<Record<string, PluginOf<'target'>>>
  readonly env: NodeJS.ProcessEnv
  readonly asked: AskedSettings
  /** How a caller names the source of one of its settings, such as `flag --fps`. */
  sourceOf(setting: string): Source
}

/** The merged configuration: the plugins to run, the settings to render with, and where each came from. */
export interface MergedConfig {
  readonly setup: KernelSetup
  readonly render: RenderDefaults
  readonly preset: string
  readonly target: string | undefined
  readonly presets: readonly string[]
  readonly targets: readonly string[]
  /** What a render of some formats is warned of. */
  warningsOf(formats: readonly string[]): readonly Warning[]
  readonly provenance: Readonly<Record<string, Provenance>>
}

/** Names of the plugins that a preset brings, and its settings. */
const contentOf = ({ capture, encoders = [], store, targets, deliveries = [], plugins = [], render }: Preset) => ({
  plugins: [
    ...(capture ? [capture] : []),
    ...encoders,
    ...(store ? [store] : []),
    ...Object.values(targets ?? {}),
    ...deliveries,
    ...plugins,
  ].map(({ name }) => name),
  render: render ?? {},
})

/** Render settings of all layers; of `format` and `outputs`, the one that the last layer with either sets. */
const mergeRender = (layers: readonly Layer[]): Readonly<Record<string, Provenance>> => {
  const { format, outputs, ...render } = overlay(layers)
  const last = layers.findLast(([, values]) => values.format !== undefined || values.outputs !== undefined)
  if (last?.[1].outputs !== undefined) return { ...render, ...(outputs && { outputs }) }
  return { ...render, ...(format && { format }) }
}

const presetProvenance = (config: VidConfig, presets: readonly Preset[]) => {
  const first = presets.filter(({ name }, index) => presets.findIndex((other) => other.name === name) === index)
  return first.map((preset): [string, Provenance] => [
    `presets.${preset.name}`,
    { value: contentOf(preset), source: config.presets?.includes(preset) ? 'config' : 'default' },
  ])
}

const encoderProvenance = (encoders: readonly SourcedEncoder[]) =>
  encoders.map(({ encoder, source }): [string, Provenance] => [
    `encoders.${encoder.name}`,
    { value: encoder.formats, source },
  ])

/** Which encoder makes a format, where others could too. */
const formatProvenance = (contested: readonly ContestedFormat[]) =>
  contested.map(({ format, used, unused }): [string, Provenance] => {
    const nameOf = ({ encoder, source }: SourcedEncoder) => `${encoder.name} (${source})`
    return [
      `formats.${format}`,
      { value: { encoder: used.encoder.name, insteadOf: unused.map(nameOf) }, source: used.source },
    ]
  })

const presetLayers = ({ config, env, asked: flags, sourceOf }: MergeInput): Layer[] => [
  ['config', { preset: config.preset }],
  ['environment VID_PRESET', { preset: env.VID_PRESET || undefined }],
  [sourceOf('preset'), { preset: flags.preset }],
]

const targetLayers = ({ config, env, asked: flags, sourceOf }: MergeInput): Layer[] => [
  ['config', { target: config.target }],
  ['environment VID_TARGET', { target: env.VID_TARGET || undefined }],
  [sourceOf('target'), { target: flags.target }],
]

/** The requested target, if neither the config nor a preset has one of that name. */
export const missingTarget = (input: MergeInput): { readonly name: string; readonly source: Source } | undefined => {
  const { preset, base } = choosePreset(input.config, input.presets, presetLayers(input))
  const choice = overlay(targetLayers(input)).target
  const name = String(choice?.value)
  const isKnown = [base, preset, input.config].some((layer) => layer?.targets && Object.hasOwn(layer.targets, name))
  return choice && !isKnown ? { name, source: choice.source } : undefined
}

/** Merges a configuration. Precedence: the caller's settings > environment > config > preset > base preset. */
export const mergeConfig = (input: MergeInput): MergedConfig => {
  const { config, env, asked: flags, sourceOf } = input
  const { preset: _preset, target: _target, cache, fresh = false, ...askedRender } = flags
  const chosen = choosePreset(config, input.presets, presetLayers(input))
  const { preset, base, presets, choice, from } = chosen
  const target = chooseTarget(config, chosen, targetLayers(input), input.installed)
  const slots = overlay([
    [from.base, { capture: base?.capture, store: base?.store, deliveries: base?.deliveries }],
    [from.preset, { capture: preset.capture, store: preset.store, deliveries: preset.deliveries }],
    ['config', { capture: config.capture, store: config.store, deliveries: config.deliveries }],
    ['environment VID_CACHE', { store: env.VID_CACHE === 'off' ? false : undefined }],
    [sourceOf('cache'), { store: cache === false ? false : undefined }],
  ])
  const capture = slots.capture?.value as KernelSetup['capture'] | undefined
  if (!capture) throw fail('VID_CAPTURE_MISSING', { preset: preset.name })
  const store = slots.store?.value as PluginOf<'store'> | false | undefined
  const deliveries = (slots.deliveries?.value ?? []) as NonNullable<KernelSetup['deliveries']>
  const encoders = mergeEncoders(config, chosen)
  const contested = contestedFormats(encoders)
  const render = mergeRender([
    [from.base, base?.render ?? {}],
    [from.preset, preset.render ?? {}],
    ['config', config.render ?? {}],
    ...Object.entries(askedRender).map(([key, value]): Layer => [sourceOf(key), { [key]: value }]),
  ])
  return {
    setup: {
      capture,
      encoders: encoders.map(({ encoder }) => encoder),
      ...(store && { store }),
      ...(target.target && { target: target.target }),
      deliveries,
      plugins: [...input.plugins({ capture, fresh }), ...mergePlugins(config, chosen)],
    },
    render: Object.fromEntries(Object.entries(render).map(([key, { value }]) => [key, value])),
    preset: preset.name,
    target: target.choice?.value as string | undefined,
    presets: [...new Set(presets.map(({ name }) => name))],
    targets: target.names,
    warningsOf: (formats) => alikeWarnings(contested, formats),
    provenance: {
      preset: choice,
      ...Object.fromEntries(presetProvenance(config, presets)),
      ...(target.choice && { target: target.choice }),
      capture: { value: capture.name, source: slots.capture?.source ?? 'default' },
      ...Object.fromEntries([...encoderProvenance(encoders), ...formatProvenance(contested)]),
      ...(slots.store && { store: { ...slots.store, value: store ? store.name : store } }),
      deliveries: {
        value: deliveries.map(({ name }) => name),
        source: slots.deliveries?.source ?? 'default',
      },
      ...Object.fromEntries(Object.entries(render).map(([key, value]) => [`render.${key}`, value])),
    },
  }
}
