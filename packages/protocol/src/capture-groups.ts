import { chooseEncoders } from './choose-encoders.ts'
import { isVidError } from './errors.ts'
import type { PluginOf } from './roles.ts'

/** Puts formats together whose outputs can be made of one capture; keeps their order. */
export const captureGroups = (
  encoders: readonly PluginOf<'encoder'>[],
  formats: readonly string[],
  fps: number,
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
  for (const format of new Set(formats)) {
    const group = groups.find((known) => fits([...known, format]))
    if (group) group.push(format)
    else groups.push([format])
  }
  return groups
}
