import type { PluginOf } from '@vid/kernel'
import { type RequestSetting, requestSettings, type Spelling, type Warning } from '@vid/protocol'
import { fail } from '../errors.ts'
import { renderWarning } from '../warnings.ts'

type Encoder = PluginOf<'encoder'>

/** Whether a setting changes the output of an encoder; one that declares nothing may use every setting. */
export const hasEffect = (name: string, { effect }: RequestSetting, encoder: Encoder): boolean => {
  const { takes, audio, hdr, hardware } = encoder
  if (effect === 'sound') return audio !== false
  if (effect === 'always' || takes === undefined) return true
  if (effect === 'taken') return (takes as readonly string[]).includes(name)
  return (effect === 'hdr' ? hdr : hardware) === true
}

/** Warns of settings that have no effect on any of the formats, and refuses a ladder or a codec there. */
export const idleSettings = (
  settings: Readonly<Record<string, unknown>>,
  formats: readonly string[],
  encoders: readonly Encoder[],
  spelling: Spelling,
): Warning[] => {
  const used = formats.map((format) => encoders.find((encoder) => encoder.formats.includes(format)))
  const idle = Object.entries<RequestSetting>(requestSettings)
    .filter(([name]) => settings[name] !== undefined)
    .filter(([name, setting]) => used.every((encoder) => encoder && !hasEffect(name, setting, encoder)))
    .map(([name]) => name)
  if (idle.includes('codec')) throw fail('VID_CODEC_FORMAT', { codec: String(settings.codec), formats })
  if (idle.includes('ladder')) throw fail('VID_LADDER_FORMAT', { formats })
  return idle.map((name) => renderWarning('VID_FLAG_WITHOUT_EFFECT', { setting: spelling.name(name), formats }))
}
