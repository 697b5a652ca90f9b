import { definePreset } from '@vid/config'
import { size } from './size.ts'

/** Loudness that social networks play at, in LUFS. */
const LOUDNESS = -14

const render = { loudness: LOUDNESS } as const

export { socialWarnings } from './warnings.ts'

/** Presets `social-square`, `social-story` and `social-wide`: the composition laid out at a network's size. */
export const social = () =>
  [
    definePreset({ name: 'social-square', render, plugins: [size({ width: 1080, height: 1080 })] }),
    definePreset({ name: 'social-story', render, plugins: [size({ width: 1080, height: 1920 })] }),
    definePreset({ name: 'social-wide', render, plugins: [size({ width: 1920, height: 1080 })] }),
  ] as const

export default social
