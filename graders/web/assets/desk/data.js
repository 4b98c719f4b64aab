// What the server sends to the desk and takes from it, as types for the checker; there is nothing to run.
// The routes are in graders/web/routes/review.py, gold.py and reveal.py; the records in
// graders/workflows/review: screen_records.py, desk.py, grading.py, save_replies.py and my_work.py.

/** @typedef {number | string} Id what the server calls a row: compared and sent back, never computed with */
/** @typedef {number | string} Value a value of a scale: a number or a label */

/**
 * What all scales have.
 * @typedef {object} Listed
 * @property {Value[]} values worst first where they have an order; empty where they cannot be listed
 * @property {string[]} words what is said of each of `values`
 * @property {boolean} [preference] which of two answers is better: values go by their letters
 */

/** @typedef {Listed & {low: number, high: number}} Range */
/** @typedef {(Range & {kind: "integer"}) | (Range & {kind: "numeric"})} NumberScale */
/** @typedef {(Listed & {kind: "ordered"}) | (Listed & {kind: "nominal"})} LabelScale */
/** @typedef {NumberScale | LabelScale} Scale */

/**
 * @typedef {object} Criterion
 * @property {string} key
 * @property {string} name
 * @property {string} title
 * @property {string} question
 * @property {string} guide
 * @property {Record<string, string>} [part_guides]
 * @property {number} hue which of the colours of the page
 * @property {Scale} scale
 */

/**
 * @typedef {object} Evidence
 * @property {string | null} quote
 * @property {boolean} absent the grader says that something is missing
 * @property {boolean | null} found whether the quote stands in the answer
 */

/**
 * What a judge or a rule says of a cell; of a blind screen that was revealed the first four alone.
 * @typedef {object} Opinion
 * @property {string} name
 * @property {Value | null} value
 * @property {string} status
 * @property {string} reason
 * @property {string} [why] the reason in words
 * @property {number | null} [confidence] 0 to 1
 * @property {string} [confidence_kind]
 * @property {string} [rationale]
 * @property {string} [note]
 * @property {boolean} [misquotes]
 * @property {Evidence[]} [evidence]
 */

/**
 * @typedef {object} Metric
 * @property {string} name
 * @property {number | null} value
 * @property {string} reason
 * @property {string} [why]
 * @property {number | null} [rank] 1 is the highest of the question's answers
 * @property {number} [of]
 * @property {number | null} [reference] which reference, counted from 0
 */

/** @typedef {{value: Value, reason: string, chance?: number | null}} Suggestion */
/** @typedef {{value: Value | null, status?: string, reason?: string}} Given what this person said earlier */

/**
 * One criterion of one answer, or one part of it.
 * @typedef {object} Cell
 * @property {Id} id
 * @property {string} criterion
 * @property {string} part
 * @property {boolean} open whether it waits for people
 * @property {string | null} route
 * @property {string} route_reason
 * @property {Suggestion | null} suggestion
 * @property {Suggestion} [doubt] a suggestion that is more likely wrong than right
 * @property {Opinion[]} judges
 * @property {Opinion[]} rules
 * @property {Metric[]} metrics
 * @property {Given | null} mine
 * @property {{value: Value | null, source: string} | null} final
 */

/**
 * A fault that was found in an answer.
 * @typedef {object} Fault
 * @property {Id} id of its cell
 * @property {string} name
 * @property {string} title
 * @property {string} by
 * @property {string} [differs] where rule and judge differ on it
 * @property {string} [severity]
 * @property {string} [why]
 * @property {string} [rationale]
 * @property {Evidence[]} evidence
 * @property {{value: string} | null} mine
 */

/** @typedef {{id: Id, model: string | null, cells: Cell[], faults?: Fault[]}} Twin an answer of equal text */

/**
 * @typedef {object} Answer
 * @property {Id} id
 * @property {string | null} model
 * @property {string} html sanitised by the server
 * @property {boolean} [pair] two answers, one of which is better
 * @property {number} length in characters
 * @property {{label: string, value: string}[]} chips
 * @property {Fault[]} [faults]
 * @property {Cell[]} cells
 * @property {Twin[]} [twins]
 * @property {boolean} [parted] it was taken apart from its twins; the page says so, not the server
 */

/**
 * @typedef {object} Question
 * @property {string} id
 * @property {string} text
 * @property {string} category
 * @property {string} task_type
 * @property {string} language
 * @property {string[]} references
 * @property {string[]} facts
 * @property {string[]} must_have
 * @property {string[]} context
 * @property {string[]} [impossible] named faults that no answer to it can have
 */

/**
 * @typedef {object} Screen
 * @property {Id} id
 * @property {string} design
 * @property {string} arm "blind" or "assisted"
 * @property {Question} question
 * @property {Answer[]} answers
 * @property {{save_id: string, comment?: string, flagged?: boolean} | null} saved
 * @property {{number: number, of: number} | null} [practice]
 */

/**
 * This person's progress, counted in screens.
 * @typedef {object} Counts
 * @property {number} done
 * @property {number} total
 * @property {number} waiting
 * @property {{screens: number, back_in: number | null}} [held] with colleagues; seconds until one is back
 * @property {number} others
 * @property {number} flagged
 * @property {number | null} minutes_left
 * @property {number | null} to_reveal
 * @property {boolean | null} [routed]
 */

/** @typedef {{id: string, name: string}} Person */

/**
 * @typedef {object} NamedFault
 * @property {string} name
 * @property {string} title
 * @property {string} [severity]
 * @property {string} [speaks_to] the criterion that it counts against
 * @property {string} [why] it hurts
 */

/**
 * What the desk needs before its first screen: /api/desk.
 * @typedef {object} Info
 * @property {Person | null} person
 * @property {{id: Id, name: string, title: string, notice?: string}} project
 * @property {string} language
 * @property {Record<string, string>} words
 * @property {Settings} settings
 * @property {Criterion[]} criteria
 * @property {NamedFault[]} fault_names
 * @property {Counts} counts
 */

/** @typedef {Info & {person: Person}} KnownInfo what the desk needs, for somebody who is known */
/** @typedef {{order?: string, order_words?: string, orders?: Order[], controls?: boolean}} Settings */
/** @typedef {{key: string, title: string}} Order a way to narrow the queue */

/** @typedef {{question: string, answer: string, why: string}} Example */

/**
 * What is said of a fault: /api/fault.
 * @typedef {object} FaultTold
 * @property {string} title
 * @property {string} why
 * @property {string} about
 * @property {string} misses
 * @property {string} found who finds it, and how often a rule is right
 * @property {Example[]} present
 * @property {Example[]} absent
 * @property {Example[]} missed
 */

/** @typedef {{screens: number, cells: number, minutes: number, cells_per_hour: number | null}} Today */

/**
 * One verdict of this person.
 * @typedef {object} WorkRow
 * @property {Id} screen
 * @property {string} question
 * @property {string} answer
 * @property {string} criterion
 * @property {Value | null} value
 * @property {string} word
 * @property {string} at
 * @property {{value: Value | null, why: string} | null} adjudicated
 */

/**
 * What comes next: `labels` of those `needed`, in `words`; 0 of 0 where nothing is drawn.
 * @typedef {{words: string, note: string, labels: number, needed: number}} LabelsMissing
 */

/**
 * What /api/my-work says; `brought`: what today's screens brought, in words.
 * @typedef {{today: Today, rows: WorkRow[], brought: string, labels_missing: LabelsMissing}} MyWork
 */
/** @typedef {{screens: Screen[], counts: Counts | null, held?: number, unknown?: string}} NextReply */
/** @typedef {{screen: Screen, counts: Counts}} ScreenReply */

/**
 * What is right in a practice question, and why.
 * @typedef {object} Explained
 * @property {string} criterion
 * @property {string} part
 * @property {string} said
 * @property {string} right
 * @property {string} why
 * @property {boolean} same
 */

/**
 * The reply to a save or an undo.
 * @typedef {object} SaveReply
 * @property {boolean} ok
 * @property {string} [message]
 * @property {string} [pace] that the person works too fast to read, told once
 * @property {{save_id: string, same: boolean} | null} [elsewhere] this person saved the screen in another tab
 * @property {Explained[] | null} [explained]
 * @property {Counts} [counts]
 */

export {};
