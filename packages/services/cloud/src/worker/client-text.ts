import type { VidError, Warning } from '@vid/protocol'
import { type ClientErrorText, createReplyText, inOneText } from '@vid/server'
import { isOfMachine } from '../health/trial.ts'
import type { Failure } from '../queue/endings.ts'
import type { CloudLog } from './parts.ts'
import { SEGMENT_STORE } from './segment-store.ts'

/** What the owner of a render learns of a fault of a machine, whose message may name keys, addresses and disks. */
const wordsOf = (error: VidError): ClientErrorText | undefined =>
  isOfMachine(error)
    ? {
        message: `A part of the server failed (${error.code}).`,
        hint: "The server's operator finds the reason in its log.",
      }
    : undefined

/** Creates the texts about jobs for owners of renders; what is about the server's own parts goes to its log alone. */
export const createClientText = (workDir: string, log: CloudLog) => {
  const { describe, warning } = createReplyText([workDir], wordsOf)
  return {
    failure: (error: VidError): Failure => ({ code: error.code, message: inOneText(describe(error)) }),
    warnings(renderId: string, warnings: readonly Warning[]): Warning[] {
      const ofStore = warnings.filter(({ plugin }) => plugin === SEGMENT_STORE)
      for (const { code, message } of ofStore) log.warn({ renderId, code }, message)
      return warnings.filter((each) => !ofStore.includes(each)).map(warning)
    },
  }
}

/** Texts about jobs for owners of renders. */
export type ClientText = ReturnType<typeof createClientText>
