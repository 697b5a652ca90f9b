import { defineCommand } from '@vid/command'
import { doctorOptions } from './options.ts'

/** `vid doctor [dir]`. */
export const doctorCommand = defineCommand({
  path: 'doctor',
  summary: 'Try out what renders need on this machine, and say what is missing and how to get it.',
  details:
    'Captures a frame in each way that the engine of the config has, encodes a second in each format, and tries the folders, the fonts, the GPU, and the servers and credentials that the config of a folder (default: the current one) names. Ends with 1 when something fails that renders need.',
  arguments: [{ name: 'dir', default: '.' }],
  options: doctorOptions,
  examples: [
    ['This machine, with the config of the current folder', 'vid doctor'],
    ['Mend what can be mended', 'vid doctor --fix'],
    ['As a program reads it', 'vid doctor --json'],
  ],
  event: 'doctor',
  run: async (run) => (await import('./run.ts')).runDoctor(run),
  text: async ({ checks }) => ({ lines: [], after: (await import('./check-text.ts')).endText(checks) }),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
