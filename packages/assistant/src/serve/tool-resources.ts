import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ListResourcesRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { fail } from '../errors.ts'
import type { Tool } from '../tools/tool.ts'

const PREFIX = 'vid://tools/'
const TYPE = 'application/schema+json'

const readSchemas = (tools: readonly Tool[], uri: string): string => {
  const tool = tools.find(({ name }) => uri === `${PREFIX}${name}`)
  if (!tool)
    throw fail('VID_TOOL_RESOURCE', { uri: uri.slice(0, 200), known: tools.map(({ name }) => `${PREFIX}${name}`) })
  const { inputSchema: input, outputSchema: output } = tool
  return JSON.stringify({ input, output: output ?? null })
}

/** Serves the whole schemas of tools as resources: the list of tools has room for their fields alone. */
export const serveToolResources = (server: Server, tools: readonly Tool[]): void => {
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: tools.map(({ name, title }) => ({
      uri: `${PREFIX}${name}`,
      name,
      title: `Schemas of "${title}"`,
      mimeType: TYPE,
    })),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: TYPE, text: readSchemas(tools, uri) }],
  }))
}
