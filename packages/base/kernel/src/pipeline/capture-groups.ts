import { type FrameRate, isVidError } from '@vid/protocol'
import type { PluginOf } from '../contracts/plugin.ts'
import { chooseEncoders } from './choose-encoders.ts'

/** Groups formats whose outputs can share one capture, in the order of their first. */
export const captureGroups = (
  encoders: readonly PluginOf<'encoder'>[],
  formats: readonly string[],
  fps: FrameRate,
): string[][] => {
  const fits = ([format = '', ...more]: readonly string[]) => {
    const outputs = more.map((other) => ({ format: other, output: '' }))
    try {
      chooseEncoders(encoders, { format, outputs, fps }, () => {})
      return true
    } catch (thrown) {
      if (isVidError(thrown) && thrown.code === 'VID_OUTPUTS_APART') return false
      throw thrown
    }
  }
  const groups: string[][] = []
  // Formats with optional alpha come last, so that they keep it beside a format that needs it.
  const isFlexible = (format: string) =>
    encoders.find((encoder) => encoder.formats.includes(format))?.alpha === 'optional'
  const ordered = [...new Set(formats)].sort((a, b) => Number(isFlexible(a)) - Number(isFlexible(b)))
  const hasAlpha = (group: readonly string[]) =>
    group.every((format) => encoders.find((encoder) => encoder.formats.includes(format))?.alpha)
  for (const format of ordered) {
    if (isFlexible(format)) groups.sort((a, b) => Number(hasAlpha(b)) - Number(hasAlpha(a)))
    const group = groups.find((members) => fits([...members, format]))
    if (group) group.push(format)
    else groups.push([format])
  }
  const first = (group: readonly string[]) => Math.min(...group.map((format) => formats.indexOf(format)))
  return groups.sort((a, b) => first(a) - first(b))
}
