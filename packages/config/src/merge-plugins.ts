import type { PluginOf } from '@vid/kernel'
import type { ChosenPreset } from './choose-preset.ts'
import type { VidConfig } from './define.ts'
import type { Source } from './layers.ts'

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

/** Free-form plugins of base, preset and config, in that order; a later one replaces one of its name. */
export const mergePlugins = (config: VidConfig, { preset, base }: ChosenPreset): PluginOf<'plugin'>[] =>
  [base?.plugins, preset.plugins, config.plugins]
    .flatMap((plugins = [], layer) => plugins.map((plugin) => ({ plugin, layer })))
    .filter(({ plugin, layer }, _, all) =>
      all.every((other) => other.layer <= layer || other.plugin.name !== plugin.name),
    )
    .map(({ plugin }) => plugin)
