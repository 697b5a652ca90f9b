import { natives } from '../natives.ts'

/** Why what a file or a script gives is no Lottie animation; nothing when it is one. */
export const lottieFault = (data: unknown): string | undefined =>
  data instanceof Object && 'layers' in data && Array.isArray(data.layers)
    ? undefined
    : 'it is JSON without "layers", which every Lottie animation has'

/** Reads a Lottie file as the library does, and says what keeps it from being one: the library itself falls silent. */
export const readLottieFault = async (address: string): Promise<string | undefined> => {
  try {
    const answer = await natives.fetch(address)
    if (!answer.ok) return `it was answered with ${answer.status}`
    return lottieFault(await answer.json())
  } catch (thrown) {
    return thrown instanceof SyntaxError ? `it is not JSON: ${thrown.message}` : String(thrown)
  }
}
