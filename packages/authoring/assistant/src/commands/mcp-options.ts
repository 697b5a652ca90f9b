import type { OptionTable } from '@vid/command'

/** The options of `vid mcp`. */
export const mcpOptions = {
  http: { kind: 'switch', about: 'listen on the loopback address instead of stdin; prints the address and a token' },
  port: { kind: 'integer', min: 0, max: 65_535, about: 'port to listen on; 0 for any free port', default: '0' },
  json: { kind: 'switch', about: 'with --http: one JSON object on stdout when the server listens' },
} as const satisfies OptionTable
