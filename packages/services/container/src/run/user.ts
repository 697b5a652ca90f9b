import type { EngineFacts } from '../engine/engine-facts.ts'

/** The ids of the ordinary user of the image. */
const ORDINARY = 1000

/** Whom a container runs as. */
export interface ContainerUser {
  readonly uid: number
  readonly gid: number
  /** Ids on the machine that own what the container is to write; undefined where they are the caller's already. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  readonly words: readonly string[]
}

/**
 * The caller's own ids. Root is an ordinary user inside: without capabilities it could use no sandbox in the browser, and
 * everything that it has on the machine would be a file's mode away.
 */
export const chooseUser = (
  { kind, isRootless, remapsUsers }: EngineFacts,
  caller: { readonly uid: number; readonly gid: number },
): ContainerUser => {
  const words = (uid: number, gid: number) => ['--user', `${uid}:${gid}`]
  if (isRootless) {
    // There, the caller is root inside, unless Podman keeps the ids.
    if (kind === 'docker') return { uid: 0, gid: 0, words: words(0, 0) }
    return { ...caller, words: [...words(caller.uid, caller.gid), '--userns', 'keep-id'] }
  }
  const host = remapsUsers ? ['--userns', 'host'] : []
  if (caller.uid !== 0) return { ...caller, words: [...words(caller.uid, caller.gid), ...host] }
  const ids = { uid: ORDINARY, gid: ORDINARY }
  return { ...ids, owner: ids, words: [...words(ORDINARY, ORDINARY), ...host] }
}
