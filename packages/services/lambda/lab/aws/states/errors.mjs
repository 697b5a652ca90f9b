// Errors of states, and the limit of what states pass on.

/** Most bytes of what a state is given or gives. */
export const MAX_STATE_BYTES = 262_144

/** An error of a state, as Retry and Catch know it. */
export const stateError = (name, cause) => Object.assign(new Error(cause), { name })

/** An error that States.ALL does not stand for. */
export const terminal = (name, cause, state) => {
  const isNamed = (rules) => rules?.some(({ ErrorEquals }) => ErrorEquals.includes(name)) ?? false
  const flags = { isRetryable: isNamed(state.Retry), isCatchable: isNamed(state.Catch) }
  return Object.assign(stateError(name, cause), flags)
}

/** Text of a value, within the limit of what a state passes on. */
export const checkedText = (value, state, what) => {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > MAX_STATE_BYTES)
    throw terminal(
      'States.DataLimitExceeded',
      `The state/task ${what} with a size exceeding the maximum number of bytes service limit.`,
      state,
    )
  return text
}
