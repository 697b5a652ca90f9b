import { definePreset } from '@vid/config'

/** Presets `alpha` (webm, for pages) and `alpha-mov` (mov, for editing): what a page leaves unpainted stays clear. */
export const alpha = () =>
  [
    definePreset({ name: 'alpha', render: { format: 'webm' } }),
    definePreset({ name: 'alpha-mov', render: { format: 'mov', quality: 'high' } }),
  ] as const

export default alpha
