// What pages for visitors say, a table for each language. `{}` is an address. Only these pages load it.

interface PageTexts {
  /** Headings, and the label of the way on. */
  unknown: string;
  early: string;
  ended: string;
  takenDown: string;
  preview: string;
  wayOn: string;
  unknownText: string;
  earlyText: string;
  endedText: string;
  /** Of a link that has ended and leads elsewhere now. */
  movedText: string;
  takenDownText: string;
  /** Whom to ask about a takedown. */
  askText: string;
  writeText: string;
  leadsText: string;
  /** Of a link that leads to several addresses by chance. */
  drawnText: string;
  /** Of a short host's `/`. */
  rootText: string;
  missingText: string;
}

const ENGLISH: PageTexts = {
  unknown: "This link leads nowhere",
  early: "This link is not open yet",
  ended: "This link has ended",
  takenDown: "This link was taken down",
  preview: "Where this link leads",
  wayOn: "Continue",
  unknownText: "There is no link at this address. It may have been mistyped, or its owner has removed it.",
  earlyText: "The organisation that made it has set a time from which on it works. Please come back later.",
  endedText:
    "The offer or event behind it is over. The organisation whose link you followed can tell you more.",
  movedText: "The offer or event behind it is over. The link now leads to {}.",
  takenDownText: "The operator of this service has switched this link off.",
  askText: "If you think that this is a mistake, ask the organisation whose link you followed.",
  writeText: "If you think that this is a mistake, write to {}.",
  leadsText: "It leads you to:",
  drawnText: "It leads you to one of these, which is drawn at each visit:",
  rootText:
    "This address hosts short links. Each leads to the page that the organisation that made it has chosen.",
  missingText: "If you followed a link to this page, its last part is missing.",
};

const GERMAN: PageTexts = {
  unknown: "Dieser Link führt nirgendwohin",
  early: "Dieser Link ist noch nicht offen",
  ended: "Dieser Link ist abgelaufen",
  takenDown: "Dieser Link wurde gesperrt",
  preview: "Wohin dieser Link führt",
  wayOn: "Weiter",
  unknownText:
    "Unter dieser Adresse gibt es keinen Link. Vielleicht enthält sie einen Tippfehler, oder der Link wurde entfernt.",
  earlyText: "Er funktioniert erst ab einem bestimmten Zeitpunkt. Bitte versuchen Sie es später noch einmal.",
  endedText:
    "Das Angebot dahinter ist beendet. Mehr erfahren Sie bei der Organisation, von der Sie den Link haben.",
  movedText: "Das Angebot dahinter ist beendet. Der Link führt jetzt zu {}.",
  takenDownText: "Der Betreiber dieses Dienstes hat den Link gesperrt.",
  askText:
    "Wenn Sie das für einen Irrtum halten, wenden Sie sich bitte an die Organisation, von der Sie den Link haben.",
  writeText: "Wenn Sie das für einen Irrtum halten, schreiben Sie bitte an {}.",
  leadsText: "Er führt Sie zu:",
  drawnText: "Er führt Sie zu einer dieser Adressen. Welche es ist, entscheidet bei jedem Besuch der Zufall:",
  rootText:
    "Unter dieser Adresse gibt es Kurzlinks. Wohin ein Link führt, bestimmt die Organisation, die ihn erstellt hat.",
  missingText: "Wenn Sie über einen Link hierher gelangt sind, fehlt dessen letzter Teil.",
};

const FRENCH: PageTexts = {
  unknown: "Ce lien ne mène nulle part",
  early: "Ce lien n’est pas encore ouvert",
  ended: "Ce lien est arrivé à son terme",
  takenDown: "Ce lien a été retiré",
  preview: "Où mène ce lien",
  wayOn: "Continuer",
  unknownText:
    "Il n’y a pas de lien à cette adresse. Elle contient peut-être une faute de frappe, ou le lien a été supprimé.",
  earlyText:
    "Il fonctionnera à partir d’une date fixée par l’organisation qui l’a créé. Merci de revenir plus tard.",
  endedText:
    "L’offre à laquelle il menait est terminée. L’organisation dont vous avez suivi le lien pourra vous en dire plus.",
  movedText: "L’offre à laquelle il menait est terminée. Il mène désormais à {}.",
  takenDownText: "L’exploitant de ce service a désactivé ce lien.",
  askText:
    "Si vous pensez qu’il s’agit d’une erreur, adressez-vous à l’organisation dont vous avez suivi le lien.",
  writeText: "Si vous pensez qu’il s’agit d’une erreur, écrivez à {}.",
  leadsText: "Il vous mène à l’adresse suivante\u00a0:",
  drawnText: "Il vous mène à l’une de ces adresses, tirée au sort à chaque visite\u00a0:",
  rootText:
    "Cette adresse héberge des liens courts. Chacun mène à la page choisie par l’organisation qui l’a créé.",
  missingText: "Si vous avez suivi un lien jusqu’ici, il en manque la fin.",
};

const ITALIAN: PageTexts = {
  unknown: "Questo link non porta da nessuna parte",
  early: "Questo link non è ancora attivo",
  ended: "Questo link è scaduto",
  takenDown: "Questo link è stato rimosso",
  preview: "Dove porta questo link",
  wayOn: "Continua",
  unknownText:
    "A questo indirizzo non c’è alcun link. Forse l’indirizzo contiene un errore di battitura, oppure il link è stato eliminato.",
  earlyText:
    "Funzionerà a partire dal momento stabilito dall’organizzazione che lo ha creato. Si prega di riprovare più tardi.",
  endedText:
    "L’iniziativa a cui portava è conclusa. Per saperne di più ci si può rivolgere all’organizzazione che lo ha diffuso.",
  movedText: "L’iniziativa a cui portava è conclusa. Ora il link porta a {}.",
  takenDownText: "Il gestore di questo servizio ha disattivato il link.",
  askText: "Se si tratta di un errore, ci si può rivolgere all’organizzazione che ha diffuso il link.",
  writeText: "Se si tratta di un errore, si può scrivere a {}.",
  leadsText: "Porta a questo indirizzo:",
  drawnText: "Porta a uno di questi indirizzi, scelto a caso a ogni visita:",
  rootText:
    "Questo indirizzo ospita link brevi. Ognuno porta alla pagina scelta dall’organizzazione che lo ha creato.",
  missingText: "Se si è arrivati qui da un link, ne manca l’ultima parte.",
};

const SPANISH: PageTexts = {
  unknown: "Este enlace no lleva a ninguna parte",
  early: "Este enlace aún no está disponible",
  ended: "Este enlace ha finalizado",
  takenDown: "Este enlace ha sido retirado",
  preview: "Adónde lleva este enlace",
  wayOn: "Continuar",
  unknownText:
    "En esta dirección no hay ningún enlace. Puede que esté mal escrita o que el enlace se haya eliminado.",
  earlyText:
    "Funcionará a partir del momento que ha fijado la organización que lo creó. Se puede volver a intentar más tarde.",
  endedText:
    "Aquello a lo que llevaba ya ha terminado. La organización que lo difundió puede dar más información.",
  movedText: "Aquello a lo que llevaba ya ha terminado. Ahora lleva a {}.",
  takenDownText: "El operador de este servicio ha desactivado este enlace.",
  askText: "Si se trata de un error, se puede consultar a la organización que difundió el enlace.",
  writeText: "Si se trata de un error, se puede escribir a {}.",
  leadsText: "Lleva a esta dirección:",
  drawnText: "Lleva a una de estas direcciones, elegida al azar en cada visita:",
  rootText:
    "Esta dirección aloja enlaces cortos. Cada uno lleva a la página que eligió la organización que lo creó.",
  missingText: "Si se ha llegado aquí desde un enlace, le falta la última parte.",
};

const PORTUGUESE: PageTexts = {
  unknown: "Este link não leva a lugar nenhum",
  early: "Este link ainda não está disponível",
  ended: "Este link terminou",
  takenDown: "Este link foi removido",
  preview: "Para onde leva este link",
  wayOn: "Continuar",
  unknownText:
    "Não há nenhum link neste endereço. Talvez ele tenha um erro de digitação, ou o link foi removido.",
  earlyText:
    "Funcionará a partir do momento definido pela organização que o criou. Volte mais tarde, por favor.",
  endedText: "Aquilo a que levava já terminou. A organização que divulgou o link pode dar mais informações.",
  movedText: "Aquilo a que levava já terminou. Agora leva a {}.",
  takenDownText: "O operador deste serviço desativou este link.",
  askText: "Se parecer um engano, fale com a organização que divulgou o link.",
  writeText: "Se parecer um engano, escreva para {}.",
  leadsText: "Leva a este endereço:",
  drawnText: "Leva a um destes endereços, escolhido ao acaso em cada visita:",
  rootText: "Neste endereço há links curtos. Cada um leva à página escolhida pela organização que o criou.",
  missingText: "Se chegou aqui por um link, falta a última parte dele.",
};

const DUTCH: PageTexts = {
  unknown: "Deze link leidt nergens heen",
  early: "Deze link is nog niet actief",
  ended: "Deze link is verlopen",
  takenDown: "Deze link is verwijderd",
  preview: "Waar deze link heen gaat",
  wayOn: "Doorgaan",
  unknownText: "Op dit adres staat geen link. Misschien is het verkeerd getypt, of is de link verwijderd.",
  earlyText: "De link werkt pas vanaf een bepaald moment. Probeer het later nog eens.",
  endedText:
    "Waar de link naartoe leidde, is voorbij. De organisatie van wie u de link hebt, kan u meer vertellen.",
  movedText: "Waar de link naartoe leidde, is voorbij. De link leidt nu naar {}.",
  takenDownText: "De beheerder van deze dienst heeft de link uitgeschakeld.",
  askText:
    "Denkt u dat dit een vergissing is? Neem dan contact op met de organisatie van wie u de link hebt.",
  writeText: "Denkt u dat dit een vergissing is? Schrijf dan naar {}.",
  leadsText: "De link brengt u naar:",
  drawnText: "De link brengt u naar een van deze adressen, bij elk bezoek willekeurig gekozen:",
  rootText:
    "Op dit adres staan korte links. Elke link gaat naar de pagina die de organisatie erachter heeft gekozen.",
  missingText: "Bent u hier via een link gekomen, dan ontbreekt het laatste deel ervan.",
};

const POLISH: PageTexts = {
  unknown: "Ten link donikąd nie prowadzi",
  early: "Ten link nie jest jeszcze aktywny",
  ended: "Ten link wygasł",
  takenDown: "Ten link został zablokowany",
  preview: "Dokąd prowadzi ten link",
  wayOn: "Dalej",
  unknownText:
    "Pod tym adresem nie ma żadnego linku. Być może adres zawiera literówkę albo link został usunięty.",
  earlyText:
    "Zacznie działać w terminie ustalonym przez organizację, która go utworzyła. Prosimy spróbować później.",
  endedText:
    "To, do czego prowadził, już się zakończyło. Więcej informacji udzieli organizacja, która udostępniła link.",
  movedText: "To, do czego prowadził, już się zakończyło. Teraz link prowadzi do {}.",
  takenDownText: "Operator tej usługi wyłączył ten link.",
  askText: "Jeśli to pomyłka, prosimy o kontakt z organizacją, która udostępniła link.",
  writeText: "Jeśli to pomyłka, prosimy napisać na adres {}.",
  leadsText: "Prowadzi pod adres:",
  drawnText: "Prowadzi pod jeden z tych adresów, losowany przy każdej wizycie:",
  rootText:
    "Pod tym adresem działają krótkie linki. Każdy prowadzi na stronę wybraną przez organizację, która go utworzyła.",
  missingText: "Jeśli trafiono tu z linku, brakuje jego ostatniej części.",
};

export const PAGE_TEXTS = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  it: ITALIAN,
  es: SPANISH,
  pt: PORTUGUESE,
  nl: DUTCH,
  pl: POLISH,
};

export type PageLanguage = keyof typeof PAGE_TEXTS;
