import { natives } from '../realm/natives.ts'

/** The reason why data is not a Lottie animation; undefined if it is one. */
export const lottieFault = (data: unknown): string | undefined =>
  data instanceof Object && 'layers' in data && Array.isArray(data.layers)
    ? undefined
    : 'it is JSON without "layers", which every Lottie animation has'

/** Reads a Lottie file as the library does, and returns the reason why it is not an animation. */
export const readLottieFault = async (address: string): Promise<string | undefined> => {
  try {
    const response = await natives.fetch(address)
    if (!response.ok) return `it was answered with ${response.status}`
    return lottieFault(await response.json())
  } catch (thrown) {
    return thrown instanceof SyntaxError ? `it is not JSON: ${thrown.message}` : String(thrown)
  }
}
