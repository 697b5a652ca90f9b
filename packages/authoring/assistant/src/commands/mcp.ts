import { type CommandLists, defineCommand } from '@vid/command'
import { mcpOptions } from './mcp-options.ts'

/** `vid mcp [root...]`, with the tools among the commands of `lists`. */
export const mcpCommand = (lists: CommandLists) =>
  defineCommand({
    path: 'mcp',
    summary: 'Give a coding assistant the tools of vid, by the Model Context Protocol.',
    details:
      'Speaks the protocol on stdin and stdout, as assistants start such servers, until the assistant leaves. Tools read and write inside of the folders that are named here; where none is, inside of the roots of the assistant, or of the current folder. With --http, clients send the token as "Authorization: Bearer"; VID_MCP_TOKEN sets one of your own.',
    arguments: [{ name: 'root', isRest: true }],
    options: mcpOptions,
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
