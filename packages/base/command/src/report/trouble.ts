import { describeCause, isVidError, printable } from '@vid/protocol'
import type { Progress } from './progress.ts'

/** Shows, once in a row, why another machine is asked again. */
export const createTrouble = ({ show }: Pick<Progress, 'show'>) => {
  let lastCode: string | undefined
  return {
    show(error: unknown): void {
      const { code, message } = isVidError(error) ? error : { code: '', message: describeCause(error) }
      if (code === lastCode) return
      lastCode = code
      show(printable(`asking again: ${message}`))
    },
    /** Called when the other machine has answered. */
    reset(): void {
      lastCode = undefined
    },
  }
}
