import type { PluginOf } from '@vid/kernel'
import type { Warning } from '@vid/protocol'
import type { ChosenPreset } from './choose-preset.ts'
import type { VidConfig } from './define.ts'
import type { Source } from './layers.ts'
import { configWarning } from './warnings.ts'

/** An encoder and where it comes from. */
export interface SourcedEncoder {
  readonly encoder: PluginOf<'encoder'>
  readonly source: Source
}

/** Encoders of config, preset and base; the nearest wins for a format that two make, and replaces one of its name. */
export const mergeEncoders = (config: VidConfig, { preset, base, from }: ChosenPreset): SourcedEncoder[] => {
  const layers = [
    ['config', config.encoders],
    [from.preset, preset.encoders],
    [from.base, base?.encoders],
  ] as const
  const merged: SourcedEncoder[] = []
  for (const [source, encoders = []] of layers)
    for (const encoder of encoders)
      if (merged.every((other) => other.source === source || other.encoder.name !== encoder.name))
        merged.push({ encoder, source })
  return merged
}

/** A format that several encoders could make: the first of them does. */
export interface ContestedFormat {
  readonly format: string
  readonly used: SourcedEncoder
  readonly unused: readonly SourcedEncoder[]
}

/** The formats that several encoders could make. */
export const contestedFormats = (encoders: readonly SourcedEncoder[]): ContestedFormat[] =>
  [...new Set(encoders.flatMap(({ encoder }) => encoder.formats))].flatMap((format) => {
    const [used, ...unused] = encoders.filter(({ encoder }) => encoder.formats.includes(format))
    return used && unused.length > 0 ? [{ format, used, unused }] : []
  })

/**
 * Warns of formats of a render that two encoders of one source could make. One source that replaces the encoder of another
 * means to do so.
 */
export const alikeWarnings = (contested: readonly ContestedFormat[], formats: readonly string[]): Warning[] =>
  contested
    .filter(({ format }) => formats.includes(format))
    .flatMap(({ format, used: { encoder, source }, unused }) => {
      const alike = unused.filter((other) => other.source === source).map((other) => other.encoder.name)
      if (alike.length === 0) return []
      return [configWarning('VID_ENCODERS_ALIKE', { format, source, used: encoder.name, unused: alike })]
    })

/** Free-form plugins of base, preset and config, in that order; a later one replaces one of its name. */
export const mergePlugins = (config: VidConfig, { preset, base }: ChosenPreset): PluginOf<'plugin'>[] =>
  [base?.plugins, preset.plugins, config.plugins]
    .flatMap((plugins = [], layer) => plugins.map((plugin) => ({ plugin, layer })))
    .filter(({ plugin, layer }, _, all) =>
      all.every((other) => other.layer <= layer || other.plugin.name !== plugin.name),
    )
    .map(({ plugin }) => plugin)
