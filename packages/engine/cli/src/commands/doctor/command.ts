import { defineCommand } from '@vid/command'
import { doctorOptions } from './options.ts'

/** `vid doctor [dir]`. */
export const doctorCommand = defineCommand({
  path: 'doctor',
  summary: 'Check that everything is installed, and print how to install what is missing.',
  details:
    'Captures a frame in each lane of the capture engine, encodes a second in each format, and tests folders, fonts and the GPU. It also tests the servers and credentials in the config of a folder (default: the current one). Exits with 1 when a required part fails.',
  arguments: [{ name: 'dir', default: '.' }],
  options: doctorOptions,
  examples: [
    ['This machine, with the config of the current folder', 'vid doctor'],
    ['Fix what can be fixed', 'vid doctor --fix'],
    ['For a program', 'vid doctor --json'],
  ],
  event: 'doctor',
  run: async (run) => (await import('./run.ts')).runDoctor(run),
  text: async ({ checks }) => ({ lines: [], after: (await import('./check-text.ts')).endText(checks) }),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
