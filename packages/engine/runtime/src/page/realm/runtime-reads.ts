let depth = 0

/** Calls a part of the runtime whose reads of styles and layout do not count as the page's. */
export const asRuntime = <T>(call: () => T): T => {
  depth++
  try {
    return call()
  } finally {
    depth--
  }
}

/** Whether what reads styles now is a part of the runtime: when it does depends on the network and on the machine. */
export const isRuntimeReading = (): boolean => depth > 0
