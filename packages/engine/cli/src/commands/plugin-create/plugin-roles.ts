/** Properties of a role for `vid plugin create`. */
export interface PluginRoleFacts {
  /** Prefix of the package's name and of its folder. */
  readonly prefix: string
  /** Packages that the template imports. */
  readonly needs: readonly string[]
  /** How a config uses it; NAME stands for its factory, WORD for its name. */
  readonly slot: string
}

/** The roles that a package can be made for; `plugin` taps hooks freely. */
export const pluginRoles = {
  capture: {
    prefix: 'capture',
    needs: ['@vid/browser', '@vid/kernel', 'puppeteer-core'],
    slot: 'capture: NAME()',
  },
  encoder: {
    prefix: 'encoder',
    needs: ['@vid/ffmpeg', '@vid/kernel'],
    slot: "encoders: [NAME()], render: { format: 'apng' }",
  },
  store: { prefix: 'store', needs: ['@vid/kernel'], slot: 'store: NAME()' },
  target: { prefix: 'target', needs: ['@vid/kernel'], slot: "targets: { WORD: NAME() }, target: 'WORD'" },
  delivery: {
    prefix: 'deliver',
    needs: ['@vid/kernel'],
    slot: "deliveries: [file(), NAME({ folder: fileURLToPath(new URL('copies', import.meta.url)) })]",
  },
  plugin: { prefix: 'plugin', needs: ['@vid/kernel'], slot: 'plugins: [NAME()]' },
  check: { prefix: 'check', needs: ['@vid/kernel'], slot: 'checks: [NAME()]' },
  transcriber: { prefix: 'transcriber', needs: ['@vid/kernel'], slot: 'transcriber: NAME()' },
  speaker: { prefix: 'speaker', needs: ['@vid/kernel'], slot: 'speaker: NAME()' },
  command: { prefix: 'command', needs: ['@vid/command'], slot: 'commands: [NAME()]' },
  preset: { prefix: 'preset', needs: ['@vid/config'], slot: "presets: [NAME()], preset: 'WORD'" },
} as const satisfies Record<string, PluginRoleFacts>

export type PluginRole = keyof typeof pluginRoles

/** Imports that a config for a role needs beside the plugin. */
export const slotImports = (slot: string): string[] => [
  ...(slot.includes('fileURLToPath') ? ["import { fileURLToPath } from 'node:url'"] : []),
  "import { defineConfig } from '@vid/config'",
  ...(slot.includes('file()') ? ["import file from '@vid/deliver-file'"] : []),
]
