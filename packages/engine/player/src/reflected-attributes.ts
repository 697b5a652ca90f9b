/** A browser's base of elements; elsewhere, as when pages are made on a server, something to extend. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

/** The properties of a player that are attributes of its element; undefined and null take an attribute away. */
export class ReflectedAttributes extends Base {
  get src(): string {
    return this.getAttribute('src') ?? ''
  }
  set src(value: string | null | undefined) {
    this.#setText('src', value)
  }
  get poster(): string {
    return this.getAttribute('poster') ?? ''
  }
  set poster(value: string | null | undefined) {
    this.#setText('poster', value)
  }
  get controls(): boolean {
    return this.#isOn('controls')
  }
  set controls(value: boolean) {
    this.#turn('controls', value)
  }
  get autoplay(): boolean {
    return this.#isOn('autoplay')
  }
  set autoplay(value: boolean) {
    this.#turn('autoplay', value)
  }
  get loop(): boolean {
    return this.#isOn('loop')
  }
  set loop(value: boolean) {
    this.#turn('loop', value)
  }
  get muted(): boolean {
    return this.#isOn('muted')
  }
  set muted(value: boolean) {
    this.#turn('muted', value)
  }

  #setText(name: string, value: string | null | undefined): void {
    if (value === null || value === undefined) this.removeAttribute(name)
    else this.setAttribute(name, value)
  }

  /** An attribute is on when it is present, except with the value "false": React 18 writes that of a property that is off. */
  #isOn(name: string): boolean {
    return (this.getAttribute(name) ?? 'false') !== 'false'
  }

  #turn(name: string, isOn: boolean): void {
    if (!isOn) this.removeAttribute(name)
    else if (!this.#isOn(name)) this.setAttribute(name, '')
  }
}
