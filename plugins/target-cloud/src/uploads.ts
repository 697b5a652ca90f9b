import { untilAborted } from '@vid/system'

/** What one render may send for all that share its resources. */
export interface Upload {
  /** Names the account and everything that is sent. */
  readonly key: string
  readonly signal: AbortSignal
  /** Resolves to the id of the upload. */
  send(): Promise<string>
}

const uploads = new WeakMap<object, Map<string, Promise<string>>>()

const uploadsOf = (sharing: object): Map<string, Promise<string>> => {
  const present = uploads.get(sharing) ?? new Map<string, Promise<string>>()
  uploads.set(sharing, present)
  return present
}

/**
 * The id of an upload, which renders that share resources send once: the rows of a batch are renders of one project. One
 * that fails is sent again by the others.
 */
export const uploadOnce = async (sharing: object | undefined, { key, signal, send }: Upload): Promise<string> => {
  if (sharing === undefined) return send()
  const present = uploadsOf(sharing)
  for (let earlier = present.get(key); earlier; earlier = present.get(key)) {
    const id = await untilAborted(earlier, signal).catch(() => undefined)
    signal.throwIfAborted()
    if (id !== undefined) return id
    // The first of those who waited sends it, and the others wait for that.
    if (present.get(key) === earlier) present.delete(key)
  }
  const sending = send()
  present.set(key, sending)
  sending.catch(() => present.get(key) === sending && present.delete(key))
  return sending
}

/** Has the next render send what it needs: the other side may have lost it. */
export const forgetUpload = (sharing: object | undefined, { key }: Pick<Upload, 'key'>): void => {
  if (sharing !== undefined) uploadsOf(sharing).delete(key)
}
