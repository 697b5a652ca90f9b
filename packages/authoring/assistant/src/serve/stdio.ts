import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { stopped } from '@vid/command'
import { openClientSession, type SessionParts } from './session.ts'

/** Serves one client on streams, until it closes them or the signal aborts. */
export const serveStdio = async (
  parts: SessionParts,
  { stdin, stdout, signal }: { readonly stdin: Readable; readonly stdout: Writable; readonly signal: AbortSignal },
): Promise<void> => {
  const session = openClientSession(parts)
  const end = new AbortController()
  const leave = () => end.abort()
  stdin.once('end', leave).once('close', leave)
  stdout.once('error', leave)
  try {
    await session.connect(new StdioServerTransport(stdin, stdout))
    await stopped(AbortSignal.any([signal, end.signal, session.gone]))
  } finally {
    await session.close()
  }
}
