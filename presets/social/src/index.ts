import { definePreset } from '@vid/config'
import { size } from './size.ts'

export { socialWarnings } from './warnings.ts'

/** The loudness in LUFS to which most networks turn down what is louder. */
const render = { loudness: -14 } as const

/** Presets `social-square`, `social-story` and `social-wide`: laid out at a network's size, at its loudness. */
export const social = () =>
  [
    definePreset({ name: 'social-square', render, plugins: [size({ width: 1080, height: 1080 })] }),
    definePreset({ name: 'social-story', render, plugins: [size({ width: 1080, height: 1920 })] }),
    definePreset({ name: 'social-wide', render, plugins: [size({ width: 1920, height: 1080 })] }),
  ] as const

export default social
