import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { fail } from '../errors.ts'
import type { Tool } from '../tools/tool.ts'

const TOOLS = 'vid://tools/'
const CODES = 'vid://codes/'

interface Content {
  readonly mimeType: string
  readonly text: string
}

const schemasOf = ({ inputSchema: input, outputSchema: output }: Tool): Content => ({
  mimeType: 'application/schema+json',
  text: JSON.stringify({ input, output: output ?? null }),
})

const pagesOf = async (tools: readonly Tool[]): Promise<Readonly<Record<string, string>>> =>
  Object.assign({}, ...(await Promise.all(tools.map(({ facts }) => facts.pages?.()))))

const readContent = async (tools: readonly Tool[], uri: string): Promise<Content> => {
  const tool = tools.find(({ name }) => uri === `${TOOLS}${name}`)
  if (tool) return schemasOf(tool)
  const pages = new Map(Object.entries(await pagesOf(tools)).map(([code, text]) => [`${CODES}${code}`, text]))
  const page = pages.get(uri)
  if (page !== undefined) return { mimeType: 'text/markdown', text: page }
  const uris = [...tools.map(({ name }) => `${TOOLS}${name}`), ...pages.keys()]
  throw fail('VID_TOOL_RESOURCE', { uri: uri.slice(0, 200), known: uris })
}

/** Serves what has no room in the list of tools and in answers: the whole schemas of tools, and pages about codes. */
export const serveResources = (server: Server, tools: readonly Tool[]): void => {
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: tools.map(({ name, title }) => ({
      uri: `${TOOLS}${name}`,
      name,
      title: `Schemas of "${title}"`,
      mimeType: 'application/schema+json',
    })),
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [
      {
        uriTemplate: `${CODES}{+code}`,
        name: 'code',
        title: 'Page of a code of a finding, such as lint/no-root',
        mimeType: 'text/markdown',
      },
    ],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, ...(await readContent(tools, uri)) }],
  }))
}
