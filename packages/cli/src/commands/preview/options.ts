import type { OptionTable } from '@vid/command'

/** Every option of `vid preview`. */
export const previewOptions = {
  port: {
    kind: 'integer',
    min: 1,
    max: 65_534,
    about: 'port of the page, instead of the first free one from 3002 on',
    default: '3002',
  },
  open: { kind: 'switch', about: 'open the page in the browser of this machine' },
  json: { kind: 'switch', about: 'one JSON object on stdout when the preview can be opened' },
} as const satisfies OptionTable
