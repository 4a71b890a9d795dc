"""What Moodle calls columns and events in its English and French, and what that is for us.

Words are compared in lower case, with straight apostrophes and single spaces (`plain`).
"""

from data.events.schema import Kind

COLUMNS = {
    "time": ("Time", "Heure", "Date"),
    "user": ("User full name", "Nom complet de l'utilisateur", "Nom complet"),
    "context": ("Event context", "Contexte de l'événement"),
    "component": ("Component", "Composant"),
    "event": ("Event name", "Nom de l'événement"),
    "description": ("Description",),
}
"""The columns that are read. Affected user, origin and IP address are in every export and never looked at."""
SPARED = ("user", "description")
"""Of these two one is enough: either says who it was."""

ATTEMPT_SUBMITTED = ("quiz attempt submitted", "tentative de test envoyée", "tentative de test remise")
POSTED = ("post created", "message créé", "discussion created", "discussion créée")
VIEWED = ("course module viewed", "module de cours consulté")
READ = ("discussion viewed", "discussion consultée")
PAGES = (
    *VIEWED,
    *READ,
    *("course viewed", "cours consulté"),
    *("course module instance list viewed", "liste d'instances de module de cours consultée"),
    *("chapter viewed", "chapitre consulté", "content page viewed", "page de contenu consultée"),
    *("quiz attempt viewed", "tentative de test consultée"),
    *("quiz attempt summary viewed", "résumé de tentative de test consulté"),
    *("quiz attempt reviewed", "tentative de test relue"),
)
FORUMS = ("forum",)
VIDEOS = ("kaltura", "panopto", "opencast", "mediasite", "ubicast", "vimeo", "youtube", "video", "vidéo")
"""Parts of the names of plug-ins that do nothing but show videos: opening one loads its video."""
MIXED = ("h5p", "interactive content", "contenu interactif")
"""May be a video or anything else; it is one if the activity's name says so (VIDEO_NAME)."""
VIDEO_NAME = r"(?i)\bvid[eé]os?\b"


def plain(word: str) -> str:
    """A word of Moodle's in the form in which words are compared."""
    return " ".join(word.replace("’", "'").casefold().split())


def kind_of(component: str, event: str) -> Kind | None:
    """The kind of an event by component and event name, None if we do not know it."""
    component, event = plain(component), plain(event)
    if event in ATTEMPT_SUBMITTED:
        return Kind.PROBLEM_CHECK
    if component in FORUMS and event in POSTED:
        return Kind.FORUM_POST
    if component in FORUMS and event in (*VIEWED, *READ):
        return Kind.FORUM_VIEW
    if event in VIEWED and any(each in component for each in VIDEOS):
        return Kind.VIDEO_LOAD
    return Kind.PAGE_VIEW if event in PAGES else None
