/** A text that ends in one full stop, also where its last part brought a stop or a line end. */
export const withOneStop = (text: string): string => text.replace(/\s+\.$/, '.').replace(/([.!?…]["”)]?)\.$/, '$1')
