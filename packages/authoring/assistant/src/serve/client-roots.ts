import { fileURLToPath } from 'node:url'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { openRoots, type Roots } from '../roots/roots.ts'

/** The roots of a session, which may change while it lasts. */
export type SessionRoots = () => Promise<Roots>

/** Roots that a person has named once. */
export const fixedRoots =
  (roots: Roots): SessionRoots =>
  async () =>
    roots

const pathsOf = (uris: readonly string[]): readonly string[] =>
  uris.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri))

/** The roots of the client, or the current folder where it names none. */
export const clientRoots = (server: Server, cwd: string): SessionRoots => {
  let roots: Promise<Roots> | undefined
  const ask = async (): Promise<Roots> => {
    if (server.getClientCapabilities()?.roots === undefined) return openRoots([], cwd)
    const list = await server.listRoots()
    return openRoots(pathsOf(list.roots.map(({ uri }) => uri)), cwd)
  }
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    roots = undefined
  })
  return () => {
    roots ??= ask().catch((thrown: unknown) => {
      roots = undefined
      throw thrown
    })
    return roots
  }
}
