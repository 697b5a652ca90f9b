import type { Plugin } from '@vid/kernel'
import type { Preset, VidConfig } from './define.ts'

/** The plugins of a config and of its presets. */
export const pluginsIn = (config: VidConfig): Plugin[] =>
  [config, ...(config.presets ?? [])].flatMap((each: Omit<Preset, 'name'>) => [
    ...(each.capture ? [each.capture] : []),
    ...(each.encoders ?? []),
    ...(each.store ? [each.store] : []),
    ...Object.values(each.targets ?? {}),
    ...(each.deliveries ?? []),
    ...(each.plugins ?? []),
  ])
