import type { PluginOf } from '@vid/kernel'
import type { RequestSetting } from '@vid/protocol'
import type { RenderContext } from './context.ts'
import { hasEffect } from './effects.ts'
import { loadProjectConfig } from './project-config.ts'

/** The formats of a configuration's encoders. */
export interface EncoderFacts {
  /** Every format that can be made. */
  readonly formats: readonly string[]
  /** Formats in which a setting changes something. */
  formatsOf(name: string, setting: RequestSetting): readonly string[]
}

/** Reads them from the configuration of the current folder; from the presets alone where that cannot be loaded. */
export const encoderFacts = async (context: RenderContext): Promise<EncoderFacts> => {
  const fromPresets = () => context.presets[0]?.encoders ?? []
  const encoders: readonly PluginOf<'encoder'>[] = await loadProjectConfig(context.cwd, {}, context).then(
    ({ setup }) => setup.encoders,
    fromPresets,
  )
  return {
    formats: [...new Set(encoders.flatMap(({ formats }) => formats))],
    formatsOf: (name, setting) => [
      ...new Set(encoders.filter((encoder) => hasEffect(name, setting, encoder)).flatMap(({ formats }) => formats)),
    ],
  }
}
