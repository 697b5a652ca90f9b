import { type CommandLists, defineCommand, type OptionTable } from '@vid/command'

const options = {
  http: { kind: 'switch', about: 'listen on the loopback address in place of stdin; prints the address and a token' },
  port: { kind: 'integer', min: 0, max: 65_535, about: 'port to listen on; 0 for any free port', default: '0' },
  json: { kind: 'switch', about: 'with --http: one JSON object on stdout when the server listens' },
} as const satisfies OptionTable

/** `vid mcp [root...]`, with the tools among the commands of `lists`. */
export const mcpCommand = (lists: CommandLists) =>
  defineCommand({
    path: 'mcp',
    summary: 'Give a coding assistant the tools of vid, by the Model Context Protocol.',
    details:
      'Speaks the protocol on stdin and stdout, as assistants start such servers, until the assistant leaves. Tools read and write inside of the folders that are named here; where none is, inside of the roots of the assistant, or of the current folder. With --http, clients send the token as "Authorization: Bearer"; VID_MCP_TOKEN sets one of your own.',
    arguments: [{ name: 'root', isRest: true }],
    options,
    needs: [
      ['port', 'http'],
      ['json', 'http'],
    ],
    examples: [
      ['As an assistant starts it', 'vid mcp'],
      ['For the folder "videos" alone', 'vid mcp ~/videos'],
      ['For several assistants, over HTTP', 'vid mcp --http --port 7400'],
    ],
    run: async (run) => (await import('./run-mcp.ts')).runMcp(run, lists),
  })

/** The options of `vid mcp`. */
export type McpOptions = typeof options
