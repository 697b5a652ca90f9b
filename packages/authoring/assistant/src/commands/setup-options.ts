import { type OptionTable, outputOptions } from '@vid/command'

/** The options of `vid assistant setup`. */
export const setupOptions = {
  for: {
    kind: 'text',
    rule: 'names such as claude-code,cursor',
    pattern: /^[a-z-]+(?:\s*,\s*[a-z-]+)*$/,
    about: 'assistants to set up: claude-code, cursor, vscode, codex, gemini, opencode, zed',
    default: 'those that the folder shows signs of, or claude-code',
  },
  'dry-run': { kind: 'switch', about: 'show what would be written, and write nothing' },
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to write at once', default: 'on' },
  ...outputOptions,
} as const satisfies OptionTable
