/** A time in minutes, seconds and hundredths, such as `1:05.50`. */
export const clockText = (seconds: number): string => {
  const hundredths = Math.round(seconds * 100)
  const minutes = Math.floor(hundredths / 6000)
  const rest = ((hundredths % 6000) / 100).toFixed(2)
  return `${minutes}:${rest.padStart(5, '0')}`
}
