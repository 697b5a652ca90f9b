import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { codedError } from '@vid/render'
import { createReplyText } from '@vid/server'
import type { Plain } from '../answers/plain.ts'
import type { ToolAnswer } from '../calls/call-tool.ts'

/** An answer as the protocol carries it. */
export const answerReply = ({ text, structured, pictures }: ToolAnswer): CallToolResult => ({
  content: [
    { type: 'text', text },
    ...pictures.map(({ base64 }) => ({ type: 'image' as const, data: base64, mimeType: 'image/png' })),
  ],
  structuredContent: { ...structured },
})

/** An error of a call: its code, what happened, and what to do. */
export const errorResult = (thrown: unknown, signal: AbortSignal, plain: Plain): CallToolResult => {
  const { code, message, hint } = codedError(thrown, signal)
  const { message: text } = createReplyText().warning({ message: plain(`${code}: ${message}\n${hint}`) })
  return { isError: true, content: [{ type: 'text', text }], _meta: { code } }
}
