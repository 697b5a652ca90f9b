/** CSS pixels of the column with the names of the rows. */
export const LABEL_WIDTH = 168

/** CSS pixels of a row's height. */
export const ROW_HEIGHT = 36
