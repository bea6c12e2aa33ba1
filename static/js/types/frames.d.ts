// The frames of a table's WebSocket. Written by `manage.py frames_types` from the types in
// games/wire; docs/protocol.md says what they mean. Change those types, then run the command again.
// A script names one so: @typedef {import("./types/frames.js").View} View

/** Accept the resignation offered. */
export interface AcceptResignation {
  type: "accept_resignation";
}

/** A command was carried out; `seq` is the last event that it caused. */
export interface Accepted {
  type: "accepted";
  id: string;
  seq: number;
}

/** The decision of the strongest house bot. */
export interface Advice {
  type: "hint";
  seq: number;
  command: string;
  number: number | null;
  judged_by: "engine" | "eye" | "net";
  plays: PlayAdvice[];
}

/** Advise the captain to make this play. */
export interface Advise {
  type: "advise";
  turn: number;
  moves: [number, number, number][];
}

/** A play that a member advises, and who agrees. */
export interface AdvisedPlay {
  player: number;
  moves: [number, number, number][];
  text: string;
  agree: number[];
}

/** Agree with the advice of another member. */
export interface Agree {
  type: "agree";
  turn: number;
  player: number;
}

/** All terms of a table, under the names of the wishes that lead to them. */
export interface AllTerms {
  variant: string;
  contest: "game" | "games" | "points" | "session";
  series: string;
  target_points: number;
  games_max: number;
  stake_cents: number;
  rate_cents: number;
  game_limit_cents: number;
  limit_points: number | null;
  pot_cents: number;
  rake_bps: number;
  rake_cents: number;
  has_cube: boolean;
  cube_cap: number;
  crawford: boolean;
  holland: boolean;
  jacoby: boolean;
  beavers: boolean;
  raccoons: boolean;
  auto_doubles_max: number;
  start_rule: string;
  max_stack: number;
  no_hit_and_run: boolean;
  extra_roll: boolean;
  clock: string;
  delay_ms: number;
  reserve_ms: number;
  watchers: boolean;
  for_prize: boolean;
}

/** A member's answer to the double of the box. */
export interface AnswerDouble {
  type: "answer";
  turn: number;
  answer: "beaver" | "drop" | "take";
}

/** Somebody, by id and name. */
export interface Author {
  id: number;
  name: string;
}

/** Answer a double by redoubling at once and keeping the cube. */
export interface Beaver {
  type: "beaver";
}

/** A member plays on after a beaver, or gives the cube up. */
export interface BeaverAnswer {
  type: "beaver_answer";
  turn: number;
  accepts: boolean;
}

/** A member's beaver that waits for an answer. */
export interface BeaverOffer {
  value: number;
  lose: number;
  player: number;
}

/** The seat that was offered a double redoubled at once to `value` and keeps the cube. */
export interface Beavered {
  seq: number;
  type: "beavered";
  at_ms: number;
  seat: number;
  value: number;
}

/** The checkers, in the numbering of seat 0; lists of two are by seat. */
export interface Board {
  points: number[];
  bar: [number, number];
  off: [number, number];
  hand: [number, number];
  pinned: number[];
}

/** The box's answers to all doubles, by member. */
export interface BoxAnswers {
  type: "box_answers";
  turn: number;
  answers: { [name: string]: "beaver" | "drop" | "take" };
}

/** The box's answers to all beavers, by member. */
export interface BoxBeaverAnswers {
  type: "box_beaver_answers";
  turn: number;
  accepts: { [name: string]: boolean };
}

/** The members whom the box doubles, or nobody. */
export interface BoxDoubles {
  type: "box_doubles";
  turn: number;
  players: number[];
}

/** Send the last messages of this table, and from now on every new one. */
export interface Chat {
  type: "chat";
}

/** The last messages that this reader receives, and their chat settings. */
export interface ChatFrame {
  type: "chat";
  messages: Message[];
  muted: Author[];
  free_text: boolean;
  silenced_until_ms: number | null;
  warned_ms: number | null;
}

/** The commands that you may give now, named as in `do`; the others are absent. */
export interface ChouetteActions {
  sit?: boolean;
  stand_up?: boolean;
  leave_after?: boolean;
  start?: boolean;
  invite_bot?: boolean;
  play?: boolean;
  decide?: OwnCube;
  box_doubles?: OfferedCube[];
  answer?: OfferedCube;
  box_answers?: OfferedCube[];
  beaver_answer?: OwnBeaver;
  box_beaver_answers?: BeaverOffer[];
  advise?: boolean;
  confer?: boolean;
}

/** Do something at a chouette; `id` makes a repetition harmless. */
export interface ChouetteCommandFrame {
  type: "command";
  id: string;
  seq: number;
  command: SitDown
    | StandUpNow
    | LeaveAfter
    | StartGame
    | InviteBot
    | Wake
    | Decide
    | BoxAnswers
    | BeaverAnswer
    | BoxDoubles
    | AnswerDouble
    | BoxBeaverAnswers
    | ChouettePlay
    | Advise
    | Agree
    | Tip
    | Element;
}

/** A person at the table, in the order of the list. */
export interface ChouettePerson {
  id: number;
  name: string;
  elo: number | null;
  strength: number | null;
  bot: boolean;
  face: string;
  role: "box" | "captain" | "crew" | "joining";
  acts: boolean;
  away: boolean;
  leaves_after: boolean;
  bank_ms: number;
}

/** A complete play. */
export interface ChouettePlay {
  type: "play";
  turn: number;
  moves: [number, number, number][];
}

/** Send a set phrase or a line of text to everybody at the table, or to the crew of a game. */
export interface ChouetteSay {
  type: "say";
  id: string;
  phrase?: "good_game"
    | "good_luck"
    | "hello"
    | "must_go"
    | "nice_roll"
    | "one_moment"
    | "sorry"
    | "thanks"
    | "well_played";
  text?: string;
  to: "crew" | "everybody";
  game?: number;
}

/** The table as it is now. */
export interface ChouetteSnapshot {
  type: "snapshot";
  seq: number;
  now_ms: number;
  log: unknown[];
  view: ChouetteView;
}

/** The terms of a table, fixed when it was opened. */
export interface ChouetteTermsView {
  rate_cents: number;
  limit_points: number | null;
  limit_cents: number;
  rake_bps: number;
  jacoby: boolean;
  beavers: boolean;
  consulting: "always" | "never" | "own_cube";
  cubes: "each" | "one";
  lone_taker: "beavers" | "free";
  cube_cap: number;
}

/** The table after a change. */
export interface ChouetteUpdate {
  type: "update";
  seq: number;
  now_ms: number;
  events: unknown[];
  view: ChouetteView;
}

/** A table as you see it, and in `actions` what you may do now. */
export interface ChouetteView {
  id: string;
  seq: number;
  now_ms: number;
  turn: number;
  terms: ChouetteTermsView;
  closed: boolean;
  phase: "between_games"
    | "box_answers"
    | "box_answers_beavers"
    | "box_doubles"
    | "over"
    | "play"
    | "roll"
    | "roll_off"
    | "team_answers"
    | "team_answers_beavers"
    | "team_decides";
  game: number;
  me: number | null;
  seat: "box" | "team" | null;
  people: ChouettePerson[];
  names: { [name: string]: string };
  cubes: MemberCubeView[];
  on_roll: "box" | "team" | null;
  board: Board;
  pips: [number, number];
  dice: [number, number] | null;
  roll_off: [number, number] | null;
  last_play: SidePlay | null;
  graph: [number, number, number, number][][] | null;
  actions: ChouetteActions;
  waits_for: number[];
  deadline_ms: number | null;
  clock: PlayClock | null;
  next_game_ms: number | null;
  leave_costs: LeavingCosts | null;
  points: PairPoints;
  ledger: { [name: string]: number } | null;
  games: PastGame[];
  talk: AdvisedPlay[];
  fair: FairView | null;
  dice_seat: 0 | 1 | null;
}

/** Claim the win: the other has been absent on their own turn for too long. */
export interface Claim {
  type: "claim";
}

/** Time left by seat, counted from `since_ms`. */
export interface ClockView {
  running: 0 | 1 | null;
  since_ms: number | null;
  delay_left_ms: [number, number];
  reserve_ms: [number, number];
  deadline_ms: number | null;
}

/** Be there for one's match. */
export interface Come {
  type: "come";
}

/** Do something at the table; `id` makes a repetition harmless, `seq` the last number seen. */
export interface CommandFrame {
  type: "command";
  id: string;
  seq: number;
  command: Roll
    | Double
    | Take
    | Drop
    | Beaver
    | Raccoon
    | NameDouble
    | Play
    | OfferResignation
    | AcceptResignation
    | RefuseResignation
    | Ready
    | Stop
    | Rematch
    | StandUp
    | Leave
    | Claim
    | TakeBack;
}

/** The doubling cube; nobody owns it while it lies in the middle. */
export interface CubeView {
  value: number;
  owner: 0 | 1 | null;
  offered_by: 0 | 1 | null;
  offered_value?: number | null;
}

/** Double one's own cube, or not. */
export interface Decide {
  type: "decide";
  turn: number;
  doubles: boolean;
}

/** A roll was decided on; no number is known before both players' parts are in, or `due_ms`. */
export interface DiceAskedFor {
  seq: number;
  type: "dice_asked_for";
  at_ms: number;
  seat: number;
  auto: boolean;
  due_ms: number;
}

/** A player's part in roll `n` of a game (mode L). */
export interface DiceElement {
  type: "dice_element";
  game: string;
  n: number;
  element: string;
}

/** A roll with the three parts it was made of; `s` is the house's, `eW` and `eB` by colour. */
export interface DiceRollView {
  n: number;
  kind: number;
  flags: number;
  s: string;
  eW: string;
  eB: string;
  dice: number[];
}

/** Dice fell for a seat; `auto` if the server rolled because no double was possible. */
export interface DiceRolled {
  seq: number;
  type: "dice_rolled";
  at_ms: number;
  seat: number;
  dice: number[];
  auto: boolean;
}

/** The seed of a player's commitment (mode K). */
export interface DiceSeed {
  type: "dice_seed";
  game: string;
  seed: string;
}

/** A player's tip or commitment for a game's dice; sent again, it shows their presence. */
export interface DiceTip {
  type: "dice_tip";
  game: string;
  value: string;
}

/** Offer to double the cube. */
export interface Double {
  type: "double";
}

/** The other seat refused the double to `value` and gave up the game. */
export interface DoubleDropped {
  seq: number;
  type: "double_dropped";
  at_ms: number;
  seat: number;
  value: number;
}

/** A seat offered to raise the cube to `value`. */
export interface DoubleOffered {
  seq: number;
  type: "double_offered";
  at_ms: number;
  seat: number;
  value: number;
}

/** The other seat took the double and owns the cube at `value`. */
export interface DoubleTaken {
  seq: number;
  type: "double_taken";
  at_ms: number;
  seat: number;
  value: number;
}

/** Refuse the double and lose the game at the old cube. */
export interface Drop {
  type: "drop";
}

/** One's part in roll `n` of a game. */
export interface Element {
  type: "element";
  game: string;
  n: number;
  element: string;
}

/** Enter; `part` is one's part in the draw. */
export interface Enter {
  type: "enter";
  part?: string;
}

export type Event = TableOpened
  | PlayerSat
  | MatchStarted
  | PositionSet
  | GameStarted
  | RolledOff
  | DiceAskedFor
  | DiceRolled
  | PlayMade
  | DoubleOffered
  | Beavered
  | Raccooned
  | DoubleTaken
  | DoubleDropped
  | ResignationOffered
  | ResignationAccepted
  | ResignationRefused
  | TakenBack
  | PlayerReady
  | PlayerLeft
  | PlayerStopped
  | PlayerAbsent
  | PlayerBack
  | WinClaimed
  | OutageCredited
  | TimeRanOut
  | PlayerStoodUp
  | GameEnded
  | MatchEnded
  | MatchSettled
  | MatchVoided
  | RematchOffered
  | TableClosed;

/** A frame was not carried out; `frame` is its type and `id` its id, if it had them. */
export interface Failure {
  type: "error";
  code: "bad_frame"
    | "bad_text"
    | "busy"
    | "dice_refused"
    | "may_not_talk"
    | "no_such_message"
    | "no_such_person"
    | "no_such_table"
    | "not_seated"
    | "not_your_turn"
    | "only_in_practice"
    | "scope_missing"
    | "too_fast"
    | "too_many_mutes"
    | "too_many_reports"
    | "wrong_phase";
  message: string;
  frame?: "chat"
    | "command"
    | "dice_element"
    | "dice_seed"
    | "dice_tip"
    | "free_text"
    | "hint"
    | "mute"
    | "ping"
    | "report"
    | "resume"
    | "say";
  id?: string;
  scope?: string;
}

/** The dice of the running game have gone on, without an event. */
export interface Fair {
  type: "fair";
  seq: number;
  fair: FairView;
}

/** The public part of the running game's dice (protocol BGD1). */
export interface FairView {
  protocol: "BGD1";
  game: string;
  mode: "K" | "L";
  terms: string;
  house: string;
  given: (string | null)[];
  revealed: boolean[];
  open: string | null;
  next: number;
  wanted: [boolean, boolean];
  rolls: DiceRollView[];
}

/** Receive free text, or set phrases only. */
export interface FreeText {
  type: "free_text";
  on: boolean;
}

export type FromClient = Resume
  | Ping
  | CommandFrame
  | Hint
  | DiceTip
  | DiceSeed
  | DiceElement
  | Chat
  | Say
  | MutePerson
  | FreeText
  | Report;

export type FromClientAtChouette = Resume
  | Ping
  | ChouetteCommandFrame
  | DiceTip
  | DiceElement
  | Chat
  | ChouetteSay
  | MutePerson
  | FreeText
  | Report;

export type FromClientAtTournament = Resume | Ping | TournamentCommandFrame;

export type FromServer = Welcome
  | Snapshot
  | Update
  | Accepted
  | Rejected
  | Failure
  | Pong
  | Advice
  | PresenceFrame
  | Fair
  | ChatFrame
  | Said
  | Unsaid
  | Reported;

export type FromServerAtChouette = Welcome
  | Accepted
  | Rejected
  | Failure
  | Pong
  | ChouetteSnapshot
  | ChouetteUpdate
  | ChatFrame
  | Said
  | Unsaid
  | Reported;

export type FromServerAtTournament = Welcome
  | Accepted
  | Rejected
  | Failure
  | Pong
  | TournamentChanged
  | TournamentSnapshot
  | TournamentUpdate;

/** A game ended: its winner (None: a draw) scores `points`, which makes `score`. */
export interface GameEnded {
  seq: number;
  type: "game_ended";
  at_ms: number;
  winner: number | null;
  points: number;
  level: number;
  cube: number;
  ending: string;
  score: [number, number];
}

/** A game begins; its starter rolls first. Without a starter both roll off for it. */
export interface GameStarted {
  seq: number;
  type: "game_started";
  at_ms: number;
  game: number;
  starter: number | null;
  crawford: boolean;
}

/** Send what the strongest house bot would do now (practice). */
export interface Hint {
  type: "hint";
}

/** Let a house bot sit down. */
export interface InviteBot {
  type: "invite_bot";
}

/** The last play of the game; its moves are in the numbering of its seat. */
export interface LastPlay {
  seat: 0 | 1;
  dice: number[];
  moves: [number, number, number][];
  text: string;
}

/** Leave the table during a match: forfeit. */
export interface Leave {
  type: "leave";
}

/** Stand up after this game, or not after all. */
export interface LeaveAfter {
  type: "leave_after";
  on: boolean;
}

/** The costs of standing up now. */
export interface LeavingCosts {
  points: number;
  cents: number;
}

/** How a seat can lose the game: as the cube is, after a take, by a drop, by leaving. */
export interface Losses {
  levels: Worth[];
  taken: Worth[];
  drop: Worth | null;
  leave: Worth | null;
}

/** The match is decided; a tie or a drawn game has no winner.

`points` is what a match settled by the point is worth; `level` and `cube` are what they come
from where administrators decided the match, else 0. */
export interface MatchEnded {
  seq: number;
  type: "match_ended";
  at_ms: number;
  winner: number | null;
  ending: string;
  score: [number, number];
  points?: number;
  level?: number;
  cube?: number;
}

/** How the match ended; no winner is a tie or a void. */
export interface MatchResult {
  winner: 0 | 1 | null;
  ending: string;
  points: number;
  level: number;
  cube: number;
  paid_cents: [number, number] | null;
  rake_cents: number | null;
  elo_before: [string, string] | null;
  elo_after: [string, string] | null;
}

/** Credits and ratings have moved: what each seat was paid, the rake, the ratings. */
export interface MatchSettled {
  seq: number;
  type: "match_settled";
  at_ms: number;
  paid_cents: [number, number];
  rake_cents: number;
  elo_before: [string, string];
  elo_after: [string, string];
}

/** Both stakes lie in escrow and a match begins; `match` is its id.

With `rated` false no rating moves: the two have played as many as the pair limit rates. Of a
session the first `rated_games` games are rated; None: all of them. */
export interface MatchStarted {
  seq: number;
  type: "match_started";
  at_ms: number;
  match: string;
  number: number;
  rated?: boolean;
  rated_games?: number | null;
}

/** The match counts for nothing: stakes back, no rake, no ratings. */
export interface MatchVoided {
  seq: number;
  type: "match_voided";
  at_ms: number;
  reason: string;
}

/** A member's cube; `my_choice` is null in everybody else's view. */
export interface MemberCubeView {
  player: number;
  value: number;
  owner: "box" | "team" | null;
  settled: boolean;
  box_points: number | null;
  how: "board" | "dropped" | "left" | null;
  state: "beavered" | "decided" | "idle" | "offered" | "out" | "thinking";
  my_choice: boolean | null;
}

/** The points that the box won from a member in a game. */
export interface MemberResult {
  player: number;
  box_points: number;
}

/** The content of a message: `phrase` or `text`, the other is null. */
export interface Message {
  number: number;
  author: Author;
  seat: 0 | 1 | null;
  audience: "crew" | "everybody" | "watchers";
  phrase: "good_game"
    | "good_luck"
    | "hello"
    | "must_go"
    | "nice_roll"
    | "one_moment"
    | "sorry"
    | "thanks"
    | "well_played"
    | null;
  text: string | null;
  at_ms: number;
}

/** Hide a person's messages at every table, or show them again; they do not notice. */
export interface MutePerson {
  type: "mute";
  person: number;
  on: boolean;
}

/** Name the double to be played after an acey-deucey. */
export interface NameDouble {
  type: "name_double";
  number: number;
}

/** Offer to give up the game at a level (1 single, 2 gammon, 3 backgammon). */
export interface OfferResignation {
  type: "offer_resignation";
  level: number;
}

/** A member's cube that is offered, or can be. */
export interface OfferedCube {
  player: number;
  value: number;
  may_beaver?: boolean;
  may_take?: boolean;
  take_may_return?: boolean;
}

/** The house was down between these moments: no clock ran, and there is time to come back. */
export interface OutageCredited {
  seq: number;
  type: "outage_credited";
  at_ms: number;
  began_ms: number;
  ended_ms: number;
}

/** A beaver of your double that waits for your answer. */
export interface OwnBeaver {
  value: number;
  lose: number;
}

/** Your own cube before the roll. */
export interface OwnCube {
  value: number;
}

/** Points by pair (the first has won them from the second), and in all by id. */
export interface PairPoints {
  pairs: [number, number, number][];
  totals: { [name: string]: number };
}

/** A game that has ended. */
export interface PastGame {
  number: number;
  box: number;
  results: MemberResult[];
  rake_cents: number | null;
  voided: boolean;
}

/** The person at a seat; guests have no rating. `plays_as`: a bot's level, or `alone`.

`face`: a symbol, and for people two colours and an angle (accounts/faces.py);
none at a table from before there were faces. */
export interface Person {
  id: number;
  name: string;
  elo: number | null;
  strength: number | null;
  bot: boolean;
  plays_as: string | null;
  face?: string;
}

/** Answer with the server's time; `sent_ms` is returned. */
export interface Ping {
  type: "ping";
  sent_ms: number;
}

/** Play the dice: one complete play, as `[from, to, die]` moves in order. */
export interface Play {
  type: "play";
  moves: [number, number, number][];
}

/** A play with its equity, and its loss against the best play, in points. */
export interface PlayAdvice {
  moves: [number, number, number][];
  text: string;
  equity: number;
  loss: number;
}

/** The time of who plays: the end of the delay, and what is left of the bank after it. */
export interface PlayClock {
  player: number;
  delay_ends_ms: number;
  bank_ms: number;
}

/** A seat played its dice; no moves means that none was legal and the turn passed. */
export interface PlayMade {
  seq: number;
  type: "play_made";
  at_ms: number;
  seat: number;
  dice: number[];
  moves: [number, number, number][];
  text: string;
  forced: boolean;
  goes_on?: boolean;
}

/** The last connection of a seat is gone. */
export interface PlayerAbsent {
  seq: number;
  type: "player_absent";
  at_ms: number;
  seat: number;
}

/** A seat is connected again. */
export interface PlayerBack {
  seq: number;
  type: "player_back";
  at_ms: number;
  seat: number;
}

/** A seat left the table in the middle of a match. */
export interface PlayerLeft {
  seq: number;
  type: "player_left";
  at_ms: number;
  seat: number;
}

/** A seat is ready for the next game. */
export interface PlayerReady {
  seq: number;
  type: "player_ready";
  at_ms: number;
  seat: number;
}

/** A second player took the other seat. */
export interface PlayerSat {
  seq: number;
  type: "player_sat";
  at_ms: number;
  seat: number;
  player: number;
}

/** A seat stood up before the first roll of the match, or closed a table nobody had joined. */
export interface PlayerStoodUp {
  seq: number;
  type: "player_stood_up";
  at_ms: number;
  seat: number;
}

/** A seat stopped a session between two games. */
export interface PlayerStopped {
  seq: number;
  type: "player_stopped";
  at_ms: number;
  seat: number;
}

/** The answer to a ping, with the table's newest seq: some seconds old, None if not known. */
export interface Pong {
  type: "pong";
  sent_ms: number;
  now_ms: number;
  seq: number | null;
}

/** The first game of this match begins from a position, and the match at a score (practice).

`position` is a text in the numbering of seat 0, as docs/formats.md has it. */
export interface PositionSet {
  seq: number;
  type: "position_set";
  at_ms: number;
  position: string;
  on_roll: number;
  cube_value: number;
  cube_owner: number | null;
  score: [number, number];
  crawford: boolean;
}

/** Which seats are connected, and how many others watch. */
export interface PresenceFrame {
  type: "presence";
  online: [boolean, boolean];
  watchers: number;
}

/** Answer a beaver by doubling once more; the beaverer keeps the cube. */
export interface Raccoon {
  type: "raccoon";
}

/** The doubler answered the beaver by doubling again to `value`. */
export interface Raccooned {
  seq: number;
  type: "raccooned";
  at_ms: number;
  seat: number;
  value: number;
}

/** Be ready for the next game. */
export interface Ready {
  type: "ready";
}

/** Why a player may not give a command now; docs/protocol.md explains every code. */
export type Reason = "already_offered"
  | "already_ready"
  | "answer_first"
  | "before_first_roll"
  | "between_games"
  | "cap"
  | "crawford"
  | "dead"
  | "decided"
  | "dice_have_fallen"
  | "dice_on_board"
  | "first_turn"
  | "game_running"
  | "holland"
  | "jacoby"
  | "limit"
  | "match_over"
  | "match_running"
  | "name_first"
  | "no_cube"
  | "no_offer"
  | "no_opponent"
  | "no_such_level"
  | "nobody_absent"
  | "not_agreed"
  | "not_your_turn"
  | "not_yours"
  | "nothing_to_name"
  | "nothing_to_take_back"
  | "only_in_practice"
  | "out_of_reach"
  | "refused_level"
  | "roll_first"
  | "table_closed"
  | "too_early"
  | "waiting_for_answer"
  | "waiting_for_dice";

/** Refuse the resignation offered and play on. */
export interface RefuseResignation {
  type: "refuse_resignation";
}

/** A command was not carried out, and nothing has changed. */
export interface Rejected {
  type: "rejected";
  id: string;
  seq: number;
  code: "account_closed"
    | "added_by_you"
    | "bad_answer"
    | "bad_terms"
    | "barred"
    | "barred_for_good"
    | "bots_play_normal"
    | "busy"
    | "chouette_closed"
    | "dice_refused"
    | "full"
    | "guests_play_free"
    | "illegal_play"
    | "insufficient_credits"
    | "linked"
    | "match_over"
    | "may_not_double"
    | "may_not_resign"
    | "members_only"
    | "no_seat"
    | "no_such_chouette"
    | "no_such_table"
    | "no_such_tournament"
    | "not_entered"
    | "not_seated"
    | "not_your_turn"
    | "only_in_practice"
    | "own_table"
    | "play_paused"
    | "plays_now"
    | "same_person"
    | "scope_missing"
    | "sits_elsewhere"
    | "stake_not_possible"
    | "stale"
    | "table_full"
    | "time_over"
    | "too_early"
    | "wrong_phase";
  message: string;
  reason?: string;
  who?: "opponent" | "you";
  claim_ms?: number;
  until_ms?: number;
  scope?: string;
}

/** Want to play again on the same terms. */
export interface Rematch {
  type: "rematch";
}

/** A seat wants to play again on the same terms. */
export interface RematchOffered {
  seq: number;
  type: "rematch_offered";
  at_ms: number;
  seat: number;
}

/** Complain about a message of this table to the moderators. */
export interface Report {
  type: "report";
  message: number;
  reason: "advice" | "cheating" | "insult" | "other" | "spam" | "threat";
  words?: string;
}

/** The moderators have a report about this message. */
export interface Reported {
  type: "reported";
  message: number;
}

/** An offer to give up the game. */
export interface Resignation {
  seat: 0 | 1;
  level: number;
}

/** The resignation was accepted by `seat`, or by the rule that nothing higher is possible. */
export interface ResignationAccepted {
  seq: number;
  type: "resignation_accepted";
  at_ms: number;
  seat: number;
  level: number;
}

/** A seat offered to give up the game at a level. */
export interface ResignationOffered {
  seq: number;
  type: "resignation_offered";
  at_ms: number;
  seat: number;
  level: number;
}

/** `seat` refused the resignation; play goes on. */
export interface ResignationRefused {
  seq: number;
  type: "resignation_refused";
  at_ms: number;
  seat: number;
  level: number;
}

/** The last game's result; only `winner` where the match ended in the middle of a game. */
export interface ResultView {
  winner: 0 | 1 | null;
  points?: number;
  level?: number;
  cube?: number;
  ending?: string;
  score?: [number, number];
  match?: MatchResult;
}

/** Send what came after event `since`. */
export interface Resume {
  type: "resume";
  since: number;
}

/** Roll the dice; `element` is the roller's own part in them, if their client has it at hand. */
export interface Roll {
  type: "roll";
  element?: string;
}

/** Each seat rolled one die for who begins; equal ones are rolled again.

`cube` is the cube's value afterwards: equal dice may have doubled it. */
export interface RolledOff {
  seq: number;
  type: "rolled_off";
  at_ms: number;
  dice: [number, number];
  starter: number | null;
  cube: number;
}

/** A message was stored; `id` is the one that its author's client gave it. */
export interface Said {
  type: "said";
  id: string;
  number: number;
  author: Author;
  seat: 0 | 1 | null;
  audience: "crew" | "everybody" | "watchers";
  phrase: "good_game"
    | "good_luck"
    | "hello"
    | "must_go"
    | "nice_roll"
    | "one_moment"
    | "sorry"
    | "thanks"
    | "well_played"
    | null;
  text: string | null;
  at_ms: number;
}

/** Send a set phrase or a line of text, one of the two; `id` makes a repetition harmless. */
export interface Say {
  type: "say";
  id: string;
  phrase?: "good_game"
    | "good_luck"
    | "hello"
    | "must_go"
    | "nice_roll"
    | "one_moment"
    | "sorry"
    | "thanks"
    | "well_played";
  text?: string;
}

/** The last play, in the numbers of its side; seat 0 is the side at which the reader sits. */
export interface SidePlay {
  seat: 0 | 1;
  dice: [number, number];
  moves: [number, number, number][];
  text: string;
}

/** Sit down, from the next game on. */
export interface SitDown {
  type: "sit";
}

/** Everything that a new client needs; `log` is the list of moves. */
export interface Snapshot {
  type: "snapshot";
  seq: number;
  now_ms: number;
  view: View;
  log: Event[];
}

/** Every ending that the running game still has, by the seat that loses it. */
export interface Stakes {
  losses: [Losses, Losses];
  drawn: Worth;
}

/** Stand up before the first roll (the stakes come back), or after the match. */
export interface StandUp {
  type: "stand_up";
}

/** Stand up now. */
export interface StandUpNow {
  type: "stand_up";
}

/** Begin the next game at once. */
export interface StartGame {
  type: "start";
}

/** Stop a session between two games: it is settled as it stands. */
export interface Stop {
  type: "stop";
}

/** Nothing more will happen at this table. Its opener waits on at `successor`, if any. */
export interface TableClosed {
  seq: number;
  type: "table_closed";
  at_ms: number;
  reason: string;
  successor?: string | null;
}

/** A player opened a table on these terms and took seat 0. */
export interface TableOpened {
  seq: number;
  type: "table_opened";
  at_ms: number;
  player: number;
  terms: Terms;
}

/** Accept the double. */
export interface Take {
  type: "take";
}

/** Take one's last play back, with everything that came after it (practice). */
export interface TakeBack {
  type: "take_back";
}

/** A seat took its last play back: the game stands as it did after event `to_seq` (practice). */
export interface TakenBack {
  seq: number;
  type: "taken_back";
  at_ms: number;
  seat: number;
  to_seq: number;
}

/** The terms that both players accept. Amounts in cents; `stake_cents` is in escrow.

`series` is the key of a series of variants, empty for a single one; then `variant` is that of
the first game. `max_stack` is 0 without the rule. In a session `stake_cents` is the bank of
each seat, `rate_cents` the base stake and `game_limit_cents` the most one game can cost. */
export interface Terms {
  mode?: "match"
    | "normal"
    | "practice"
    | "prize3"
    | "prize5"
    | "session"
    | "single"
    | "stake"
    | "tabla"
    | "tavli";
  variant?: string;
  contest?: "game" | "games" | "points" | "session";
  target_points?: number;
  games_max?: number;
  stake_cents?: number;
  rate_cents?: number;
  rake_bps?: number;
  has_cube?: boolean;
  cube_cap?: number;
  crawford?: boolean;
  holland?: boolean;
  jacoby?: boolean;
  beavers?: boolean;
  raccoons?: boolean;
  auto_doubles_max?: number;
  start_rule?: string;
  clock?: "fast" | "none" | "normal" | "slow";
  delay_ms?: number;
  reserve_ms?: number;
  watchers?: boolean;
  series?: string;
  max_stack?: number;
  no_hit_and_run?: boolean;
  extra_roll?: boolean;
  game_limit_cents?: number;
  for_prize?: boolean;
}

/** The terms of the table, which both players agreed to. */
export interface TermsView {
  stake_cents: number;
  rate_cents: number;
  game_limit_cents: number;
  limit_points: number | null;
  pot_cents: number;
  rake_cents: number;
  winner_cents: number;
  most_lost_cents: number;
  contest: "game" | "games" | "points" | "session";
  target_points: number;
  games_max: number;
  has_cube: boolean;
  cube_cap: number;
  start_rule: "opener_alternates" | "roll_off_reroll" | "roll_off_use" | "winner_starts";
  rules: ("auto_doubles"
    | "beavers"
    | "crawford"
    | "holland"
    | "jacoby"
    | "max_five"
    | "no_extra_roll"
    | "no_hit_and_run"
    | "raccoons")[];
  clock: "fast" | "none" | "normal" | "slow";
  delay_ms: number;
  reserve_ms: number;
  watchers: boolean;
  practice: boolean;
}

/** A seat's reserve came to its end. */
export interface TimeRanOut {
  seq: number;
  type: "time_ran_out";
  at_ms: number;
  seat: number;
}

/** The tip of one's chain for the dice of a game. */
export interface Tip {
  type: "tip";
  game: string;
  tip: string;
}

/** Your match that is called or played. Without `table` it waits for `ready`. */
export interface TournamentCall {
  number: number;
  opponent: string;
  due_at: string;
  table: string | null;
}

/** Something has changed; `seq` is the number of the newest event. */
export interface TournamentChanged {
  type: "changed";
  seq: number;
}

/** Do something in a tournament; `id` makes a repetition harmless. */
export interface TournamentCommandFrame {
  type: "command";
  id: string;
  seq: number;
  command: Enter | Withdraw | Come;
}

/** A pairing; `place` is stage, round and number in the format. */
export interface TournamentPairing {
  number: number;
  place: string;
  players: string[];
  winner: string | null;
  how: string | null;
}

/** A player of a tournament; places and prize are null before the end. */
export interface TournamentPlace {
  name: string;
  first_place: number | null;
  last_place: number | null;
  wins: number;
  losses: number;
  prize_cents: number | null;
}

/** The tournament as it is now. */
export interface TournamentSnapshot {
  type: "snapshot";
  seq: number;
  now_ms: number;
  log: unknown[];
  view: TournamentView;
}

/** The tournament after a change. */
export interface TournamentUpdate {
  type: "update";
  seq: number;
  now_ms: number;
  events: unknown[];
  view: TournamentView;
}

/** A tournament as its reader sees it at this moment. */
export interface TournamentView {
  id: string;
  name: string;
  format: string;
  variant: string;
  length: number;
  least: number;
  most: number;
  phase: "called_off" | "over" | "registering" | "running";
  starts_at: string | null;
  fee_cents: number;
  rake_bps: number;
  added_cents: number;
  shares_bps: number[];
  sides_bps: number[];
  satellite_of: string | null;
  seats: number;
  taken: number;
  entered: boolean;
  commitment: string;
  table_terms: AllTerms;
  seq: number;
  standing: TournamentPlace[];
  pairings: TournamentPairing[];
  call: TournamentCall | null;
  now_ms: number;
}

/** A message was not stored. */
export interface Unsaid {
  type: "unsaid";
  id: string;
  code: "bad_text"
    | "busy"
    | "crew_silent"
    | "may_not_talk"
    | "no_such_table"
    | "not_seated"
    | "phrases_only"
    | "scope_missing"
    | "silenced"
    | "talks_too_fast";
  message: string;
  reason?: "excluded" | "frozen" | "guest" | "login";
  until_ms?: number;
  scope?: string;
}

/** One commit at the table: its events, and the view they lead to. */
export interface Update {
  type: "update";
  seq: number;
  now_ms: number;
  events: Event[];
  view: View;
}

/** The whole table as everybody may see it; lists of two are by seat. */
export interface View {
  mode: "match"
    | "normal"
    | "practice"
    | "prize3"
    | "prize5"
    | "session"
    | "single"
    | "stake"
    | "tabla"
    | "tavli";
  variant: string;
  way: "against" | "half" | "same";
  capture: "block" | "hit" | "pin";
  phase: "between_games"
    | "closed"
    | "double_offered"
    | "name_double"
    | "open"
    | "over"
    | "play"
    | "resignation_offered"
    | "roll"
    | "roll_off"
    | "rolling";
  terms: TermsView;
  rated: boolean;
  match: number;
  game: number;
  score: [number, number];
  banks_cents: [number, number] | null;
  crawford: boolean;
  on_roll: 0 | 1 | null;
  decider: 0 | 1 | null;
  board: Board;
  pips: [number, number];
  dice: number[] | null;
  cube: CubeView;
  last_play: LastPlay | null;
  table: string;
  match_id: string | null;
  set_up: boolean;
  players: [Person | null, Person | null];
  graph: [number, number, number, number][][] | null;
  actions: [string[], string[]];
  why_not: [{ [name: string]: Reason }, { [name: string]: Reason }];
  auto_roll_because: Reason | null;
  resignation: Resignation | null;
  resignable_levels: number[];
  refused_levels: { [name: string]: Reason };
  stakes: Stakes | null;
  clock: ClockView;
  ready: [boolean, boolean];
  rematch: [boolean, boolean];
  next_game_ms: number | null;
  absent: [boolean, boolean];
  claim_ms: number | null;
  result: ResultView | null;
  successor: string | null;
  fair: FairView | null;
}

/** Look whether something is due. */
export interface Wake {
  type: "wake";
}

/** The first frame; `seat` is null for a watcher, `slow` true if frames take a slower way now.

A socket keeps its way: it is closed when that changes. */
export interface Welcome {
  type: "welcome";
  table: string;
  seat: 0 | 1 | null;
  seq: number;
  now_ms: number;
  protocol: number;
  slow: boolean;
}

/** `seat` claims the win because the other has been absent on their own turn for too long. */
export interface WinClaimed {
  seq: number;
  type: "win_claimed";
  at_ms: number;
  seat: number;
}

/** Withdraw before the draw, or give up after it. */
export interface Withdraw {
  type: "withdraw";
}

/** The worth of one ending, as a list of these fields; there are up to sixty in a view. */
export type Worth = [number, number, boolean, [number, number], number, boolean];
