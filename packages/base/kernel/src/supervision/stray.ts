import { fileURLToPath } from 'node:url'
import { describeCause, failRender, isSystemFault, isVidError, type VidError } from '@vid/protocol'
import { isInstalled } from '../contracts/origin.ts'
import { createPackages } from '../plugin-identity/packages.ts'
import { blame } from './blame.ts'
import { currentCall } from './current-call.ts'

/** The path of the first file in a stack, as V8 writes it. */
const FIRST_FILE = /^ {4}at (?:.* \()?(file:\/\/\S+|\/\S+|[A-Za-z]:\\\S+?):\d+:\d+\)?$/m

/** Where an error was made, if that is code of others: a package by its name, a file of a project by its path. */
const foreignPlace = (thrown: unknown): string | undefined => {
  const [, address] = FIRST_FILE.exec(thrown instanceof Error ? String(thrown.stack) : '') ?? []
  if (address === undefined) return undefined
  const file = address.startsWith('file:') ? fileURLToPath(address) : address
  const name = createPackages().around(file)?.name
  if (name?.startsWith('@vid/')) return undefined
  return isInstalled(file) ? name : file
}

/**
 * The coded error for what was thrown outside of everything that is awaited, such as in a timer, if code of others did it;
 * for a listener of `uncaughtException`.
 */
export const blameStray = (thrown: unknown): VidError | undefined => {
  const call = currentCall()
  if (call) return blame(thrown, call.plugin, call.hook)
  if (isVidError(thrown) || isSystemFault(thrown)) return undefined
  const place = foreignPlace(thrown)
  return place === undefined
    ? undefined
    : failRender('VID_CODE_STRAY', { place, reason: describeCause(thrown) }, { cause: thrown })
}

/** The error that a signal aborted for, where that was a failure and no wish to stop. */
export const abortFailure = (signal: AbortSignal | undefined): VidError | undefined => {
  const reason: unknown = signal?.aborted ? signal.reason : undefined
  // The cause alone: plugins are blamed for a reason that they rethrow.
  return reason instanceof Error && isVidError(reason.cause) ? reason.cause : undefined
}
