import type { PluginOf } from '@vid/kernel'
import type { Preset, VidConfig } from './define.ts'
import { fail } from './errors.ts'
import { type Layer, overlay, type Provenance, type Source } from './layers.ts'
import { presetPackages } from './vid-packages.ts'

/** The preset of a render, and the base preset that fills in the rest. */
export interface ChosenPreset {
  readonly preset: Preset
  /** Undefined when the preset is the base itself. */
  readonly base: Preset | undefined
  readonly presets: readonly Preset[]
  readonly choice: Provenance
  /** The sources of the values of the base and the preset. */
  readonly from: { readonly base: Source; readonly preset: Source }
}

/** Finds the preset that the last of `layers` names; the first builtin one is the default and the base. */
export const choosePreset = (config: VidConfig, builtin: readonly Preset[], layers: readonly Layer[]): ChosenPreset => {
  const presets = [...(config.presets ?? []), ...builtin]
  const [first] = builtin
  const choice = overlay([['default', { preset: first?.name }], ...layers]).preset
  const preset = presets.find(({ name }) => name === choice?.value)
  const name = String(choice?.value)
  const inPackage = Object.hasOwn(presetPackages, name) ? presetPackages[name] : undefined
  if (!preset && choice && inPackage !== undefined)
    throw fail('VID_PRESET_MISSING', { preset: String(choice.value), source: choice.source, package: inPackage })
  if (!preset || !choice)
    throw fail('VID_PRESET_UNKNOWN', {
      preset: String(choice?.value),
      source: choice?.source ?? 'default',
      known: [...new Set(presets.map(({ name }) => name))],
    })
  const base = first && first.name !== preset.name ? first : undefined
  const from = { base: `preset ${base?.name ?? ''}`, preset: `preset ${preset.name}` }
  return { preset, base, presets, choice, from }
}

type Targets = Readonly<Record<string, PluginOf<'target'>>>

/** The target of a render: its name with its source, and the plugin. */
export interface ChosenTarget {
  readonly names: readonly string[]
  readonly choice: Provenance | undefined
  readonly target: PluginOf<'target'> | undefined
}

/** Finds the target that the last of `layers` names, among those of the presets, the config and installed packages. */
export const chooseTarget = (
  config: VidConfig,
  { preset, base, from }: ChosenPreset,
  layers: readonly Layer[],
  installed: Targets = {},
): ChosenTarget => {
  const targets: Targets = { ...base?.targets, ...preset.targets, ...config.targets }
  const names = Object.keys(targets)
  const choice = overlay([
    [from.base, { target: base?.target }],
    [from.preset, { target: preset.target }],
    ...layers,
  ]).target
  const name = String(choice?.value)
  const target = [targets, installed].find((table) => Object.hasOwn(table, name))?.[name]
  if (choice && !target)
    throw fail('VID_TARGET_UNKNOWN', {
      target: name,
      source: choice.source,
      known: names,
    })
  return { names, choice, target }
}
