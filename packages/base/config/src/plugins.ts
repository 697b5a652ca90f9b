import type { Plugin } from '@vid/kernel'
import type { Preset, VidConfig } from './define.ts'

/** The plugins of a config and of its presets. */
export const pluginsIn = (config: VidConfig): Plugin[] => [
  ...[config, ...(config.presets ?? [])].flatMap((bundle: Omit<Preset, 'name'>) => [
    ...(bundle.capture ? [bundle.capture] : []),
    ...(bundle.encoders ?? []),
    ...(bundle.store ? [bundle.store] : []),
    ...Object.values(bundle.targets ?? {}),
    ...(bundle.deliveries ?? []),
    ...(bundle.plugins ?? []),
  ]),
  ...(config.transcriber ? [config.transcriber] : []),
  ...(config.speaker ? [config.speaker] : []),
]
